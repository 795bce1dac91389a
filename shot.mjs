import { chromium } from "playwright-core";
const b = await chromium.launch({ executablePath: "/usr/bin/chromium" });
const [,, ...list] = process.argv;
for (const item of list) { const [name, url, w] = item.split("@"); const p = await b.newPage({ viewport: { width: +(w||1300), height: 800 } }); await p.goto("http://localhost:8391" + url); await p.waitForTimeout(400); await p.screenshot({ path: `/tmp/linesprog/${name}.png` }); await p.close(); }
await b.close();
