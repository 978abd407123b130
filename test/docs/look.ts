import { databases } from '../support/databases';
import { startService } from '../support/server';
import { openBrowser } from '../support/browser';
void (async () => {
  const service = await startService(databases[0]!);
  const page = await openBrowser();
  try {
  await page.open(`${service.running.url}/docs`);
  await page.until("document.querySelectorAll('.opblock-tag').length > 5");
  await page.screenshot('/tmp/docs-shot1.png');
  await page.type('input[name=search]', 'blood');
  await page.type('input[name=search]', 'autoshare');
  await page.until("document.querySelectorAll('.opblock').length > 0");
  await page.screenshot('/tmp/docs-shot2.png');
  await page.type('input[name=search]', 'record_search');
  await page.until("document.querySelectorAll('.opblock').length === 1");
  await page.type('input[name=key]', 'admin@apps.svc.example');
  await page.type('input[name=secret]', 'development-secret-admin');
  await page.click('.opblock-summary');
  await page.until("document.querySelector('.opblock input[placeholder=label]') !== null");
  await page.type('.opblock input[placeholder=label]', 'lee');
  await page.click('.opblock .execute');
  await page.until("document.querySelector('.live-responses-table .response-col_status') !== null");
  await page.screenshot('/tmp/docs-shot3.png');
  process.stdout.write(await page.evaluate<string>("document.querySelector('.live-responses-table').innerText") + '\n');
  } catch (e) { process.stdout.write(String(e) + '\n'); await page.screenshot('/tmp/docs-shot3.png'); }
  process.stdout.write(JSON.stringify(page.complaints()) + JSON.stringify(page.requested().filter((u)=>!u.startsWith('data:'))) + '\n');
  await page.close();
  await service.stop();
})();
