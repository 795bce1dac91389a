import { openPage, startBrowser } from "./harness.mjs";
const [,, base, out, ...paths] = process.argv;
const b = await startBrowser();
const scheme = process.env.SCHEME ?? "light", w = +(process.env.W ?? 1440), h = +(process.env.H ?? 900);
const { page } = await openPage(b, { viewport: { width: w, height: h }, colorScheme: scheme });
if (process.env.PRINT) await page.emulateMedia({ media: "print" });
let i = 0;
for (const p of paths) { await page.goto(base + p, { waitUntil: "networkidle" }); await page.waitForTimeout(300); await page.screenshot({ path: `${out}-${i++}.png`, fullPage: !!process.env.FULL }); }
await b.close();
