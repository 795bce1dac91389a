import { openPage, startBrowser } from "./harness.mjs";
const [, , ...jobs] = process.argv;
const browser = await startBrowser();
for (const job of jobs) {
  const [out, url, opt = ""] = job.split("|");
  const w = opt.includes("phone") ? 390 : 1440;
  const { page, faults } = await openPage(browser, { viewport: { width: w, height: opt.includes("phone") ? 844 : 900 }, colorScheme: opt.includes("dark") ? "dark" : "light", javaScriptEnabled: !opt.includes("noscript") });
  await page.goto("http://localhost:7711" + url);
  const keys = opt.match(/keys=([^;]*)/);
  if (keys) for (const k of keys[1].split(",")) { if (k.startsWith("click:")) await page.locator(k.slice(6)).first().click(); else await page.keyboard.press(k); await page.waitForTimeout(250); }
  await page.waitForTimeout(300);
  await page.screenshot({ path: `/tmp/shots-tables/${out}.png` });
  if (faults.length) console.log(out, faults);
  console.log(out, page.url(), await page.evaluate(() => document.documentElement.scrollWidth - innerWidth));
}
await browser.close();
