import { openPage, startBrowser, accessible, fitsWidth } from "./harness.mjs";
const b = await startBrowser();
const L = [["data","/p/aceargy4zpwc6enzlkiniunm6y/data?access_count=1.."],["callsites","/p/xs2hetayg2l426rqfnvykzaooy/callsites?by=recorded&q=main"],["values","/p/jbmwzf33a73a3mfoc2r6uo3yvu/values?target=malloc"],["tree","/p/cpbarzhlaym6kvqghvukkvwzee/tree?by=namespace&q=sass&functions=2.."],["modules","/p/bdgartpv7uoxvsqdlwslu4ksmy/modules"],["cloning","/p/xs2hetayg2l426rqfnvykzaooy/cloning?cold_lifetime=0&cold_density=100"],["raw","/p/jbmwzf33a73a3mfoc2r6uo3yvu/raw?section=data%20records&q=NumCounters+1"],["bids","/p/cpbarzhlaym6kvqghvukkvwzee/binary-ids"]];
for (const [look, o] of [["light",{}],["phone",{viewport:{width:390,height:844},colorScheme:"dark"}]]) {
  const { page, faults } = await openPage(b, o);
  for (const [n, u] of L) {
    const r = await page.goto("http://localhost:8791" + u);
    await page.waitForTimeout(300);
    try { await accessible(page, n); await fitsWidth(page, n); } catch (e) { console.log(look, n, String(e).slice(0, 900)); }
    console.log(look, n, r.status());
    await page.screenshot({ path: "/tmp/look-" + look + "-" + n + ".png" });
  }
  console.log(faults);
}
await b.close();
