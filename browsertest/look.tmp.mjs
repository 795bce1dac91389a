import { startBrowser, openPage, accessible, fitsWidth } from "./harness.mjs";
const base = "http://localhost:18231/p/dvfvrkz32ffaotg7yo2pttcrqi";
const L = "/files/node-sass-9.0.0/package/src/libsass/src/";
const shots = {
  overview: [""], files: ["/files"], source: [L + "node.cpp"], gaps: [L + "node.cpp?show=gaps&open=126&sel=126#L126"],
  json: [L + "json.cpp?show=gaps"], inst: [L + "parser.hpp?show=gaps&open=91,98&sel=98"], macro: [L + "ast.cpp?show=gaps"], uncovered: ["/uncovered?sort=file"], mcdc: ["/mcdc?missing=true"],
};
const [, , which, mode = "light", ...rest] = process.argv;
const browser = await startBrowser();
for (const name of which.split(",")) {
  const options = mode.includes("phone") ? { viewport: { width: 390, height: 844 } } : { viewport: { width: 1440, height: 900 } };
  if (mode.includes("dark")) options.colorScheme = "dark";
  if (mode.includes("plain")) options.javaScriptEnabled = false;
  const { page, faults } = await openPage(browser, options);
  await page.goto(base + (shots[name]?.[0] ?? name));
  if (mode.includes("print")) { await page.emulateMedia({ media: "print" }); }
  await page.waitForTimeout(300);
  const file = `/tmp/real/cov/${(shots[name] ? name : "x")}-${mode}.png`;
  await page.screenshot({ path: file, fullPage: mode.includes("full") });
  console.log(file, faults);
  if (mode.includes("axe")) {
    try { await accessible(page, name); await fitsWidth(page, name); console.log("axe ok"); } catch (e) { console.log(e.message.slice(0, 3000)); }
  }
}
await browser.close();
