// `npm run lighthouse -- [PATH…]`: starts recipes/full.yaml behind nginx with the file of `deploy`, and measures pages with
// Lighthouse, which is installed into a temporary folder (or is found in LIGHTHOUSE_FOLDER), on a phone with a slow connection
// and on a desktop. Prints the median of RUNS runs. Fails if a median score is below 95.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { startNginx } from '../dist/test/system/proxies.js'
import { freePort, startProduct } from './product.mjs'

const MIN_SCORE = 95
const RUNS = Number(process.env.RUNS ?? 5)
const MAX_RUN_MS = 120_000
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']
const PRESETS = { phone: [], desktop: ['--preset=desktop'] }
const METRICS = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
}
const PAGES = ['/', '/sign-in', '/about', '/console/operator/']
/** The console is for people who are signed in: search engines don't get it. */
const isUnlisted = path => path.startsWith('/console')

const data = mkdtempSync(join(tmpdir(), 'larder-lighthouse-'))
const folder = process.env.LIGHTHOUSE_FOLDER ?? data
if (folder === data)
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', 'lighthouse@12'], {
    cwd: data,
    stdio: 'inherit',
  })
const product = await startProduct(data)
const proxy = await startNginx([product.base])
const base = proxy.url.replace('127.0.0.1', 'localhost')
let failed = false
try {
  const cookies = await seed()
  const wanted = process.argv.slice(2)
  for (const path of PAGES.filter(path => wanted.length === 0 || wanted.includes(path)))
    for (const preset of Object.keys(PRESETS)) {
      const reports = []
      for (let run = 0; run < RUNS; run++) reports.push(await measure(path, preset, isUnlisted(path) ? cookies : []))
      print(path, preset, reports)
    }
} finally {
  await proxy.close()
  await product.stop()
  rmSync(data, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

/** In a browser of its own, which has nothing stored but the cookies. */
async function measure(path, preset, cookies) {
  const port = await freePort()
  const browser = await chromium.launchPersistentContext(mkdtempSync(join(data, 'profile-')), {
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--ignore-certificate-errors', `--remote-debugging-port=${port}`],
  })
  try {
    // A header with them would be lost at the first redirect.
    await browser.addCookies(cookies.map(([name, value]) => ({ name, value, url: base })))
    const output = join(data, 'report.json')
    const options = ['--quiet', '--output=json', `--output-path=${output}`, `--only-categories=${CATEGORIES}`]
    // Not in the same turn: the browser asks this process before it opens a tab.
    await promisify(execFile)(
      join(folder, 'node_modules/.bin/lighthouse'),
      [base + path, `--port=${port}`, ...PRESETS[preset], ...options],
      { timeout: MAX_RUN_MS },
    )
    const report = JSON.parse(readFileSync(output, 'utf8'))
    if (new URL(report.finalDisplayedUrl).pathname !== path)
      throw new Error(`${path} led to ${report.finalDisplayedUrl}`)
    return report
  } finally {
    await browser.close()
  }
}

function print(path, preset, reports) {
  const of = get => median(reports.map(get))
  const scores = CATEGORIES.map(id => [id, of(({ categories }) => Math.round(categories[id].score * 100))])
  const metrics = Object.entries(METRICS).map(([name, id]) => {
    const value = of(({ audits }) => audits[id].numericValue)
    return `${name} ${name === 'CLS' ? value.toFixed(3) : `${Math.round(value)} ms`}`
  })
  const { audits, categories } = reports.at(-1)
  const requests = audits['network-requests'].details.items
  const bytes = requests.reduce((sum, { transferSize }) => sum + transferSize, 0)
  const depth = depthOf(audits['critical-request-chains'].details.chains)
  console.log(`${path} (${preset})  ${scores.map(([id, score]) => `${id} ${score}`).join(', ')}`)
  // What doesn't depend on the machine.
  const load = `${requests.length} requests, ${depth} of them one after the other, ${Math.round(bytes / 1024)} KiB`
  console.log(`    ${metrics.join(', ')}; ${load}`)
  for (const id of CATEGORIES)
    for (const { id: audit, weight } of categories[id].auditRefs) {
      const { score, title, displayValue = '' } = audits[audit]
      if (weight > 0 && score !== null && score < 0.9) console.log(`    ${id}: ${title} ${displayValue}`)
    }
  for (const { url, duration } of audits['long-tasks']?.details?.items ?? [])
    console.log(`    ${Math.round(duration)} ms on the main thread: ${url}`)
  failed ||= scores.some(([id, score]) => score < MIN_SCORE && !(id === 'seo' && isUnlisted(path)))
}

/** Requests of the longest chain. */
function depthOf(chains) {
  return Math.max(0, ...Object.values(chains).map(({ children }) => 1 + (children ? depthOf(children) : 0)))
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

/** Creates the page /about. Returns the cookies of its author. */
async function seed() {
  const { token, cookies } = await product.claim()
  const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': 'operator' }
  const body = `# About us\n\nWe bake **bread**.\n\n${'We open at six, every day but Monday.\n\n'.repeat(20)}`
  const about = { slug: 'about', title: 'About us', body }
  const page = await product.call('POST', '/v1/content/pages', about, headers)
  await product.call('POST', `/v1/content/pages/${page.body.id}/publish`, {}, headers)
  return cookies.map(cookie => cookie.split(/=(.*)/, 2)).filter(([, value]) => value !== '')
}
