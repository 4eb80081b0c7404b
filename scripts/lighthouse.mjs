// `npm run lighthouse -- [PATH…]`: starts recipes/full.yaml and measures pages with Lighthouse, which is installed into a temporary
// folder (or is found in LIGHTHOUSE_FOLDER). Fails if a score is below 95.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from './product.mjs'

const MIN_SCORE = 95
const CATEGORIES = ['performance', 'accessibility', 'best-practices']
const PAGES = [
  ['/sign-in', false],
  ['/', false],
  ['/about', false],
  ['/console', true],
]

const data = mkdtempSync(join(tmpdir(), 'larder-lighthouse-'))
const folder = process.env.LIGHTHOUSE_FOLDER ?? data
if (folder === data)
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', 'lighthouse@12'], {
    cwd: data,
    stdio: 'inherit',
  })
const product = await startProduct(data)
let failed = false
try {
  const cookie = await seed()
  const wanted = process.argv.slice(2)
  for (const [path, isSignedIn] of PAGES.filter(([path]) => wanted.length === 0 || wanted.includes(path))) {
    const { categories, audits } = measure(path, isSignedIn ? cookie : undefined)
    const scores = CATEGORIES.map(id => [id, Math.round(categories[id].score * 100)])
    console.log(`${path}  ${scores.map(([id, score]) => `${id} ${score}`).join(', ')}`)
    for (const id of CATEGORIES)
      for (const { id: audit, weight } of categories[id].auditRefs) {
        const { score, title, displayValue = '' } = audits[audit]
        if (weight > 0 && score !== null && score < 0.9) console.log(`    ${id}: ${title} ${displayValue}`)
      }
    if (categories.performance.score * 100 < MIN_SCORE)
      for (const { url, duration } of audits['long-tasks']?.details?.items ?? [])
        console.log(`    ${Math.round(duration)} ms on the main thread: ${url}`)
    failed ||= scores.some(([, score]) => score < MIN_SCORE)
  }
} finally {
  await product.stop()
  rmSync(data, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

function measure(path, cookie) {
  const output = join(data, 'report.json')
  const headers = join(data, 'headers.json')
  writeFileSync(headers, JSON.stringify(cookie ? { cookie } : {}))
  execFileSync(
    join(folder, 'node_modules/.bin/lighthouse'),
    [
      product.base + path,
      '--quiet',
      '--preset=desktop',
      '--output=json',
      `--output-path=${output}`,
      `--only-categories=${CATEGORIES.join(',')}`,
      `--extra-headers=${headers}`,
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
    ],
    { env: { ...process.env, CHROME_PATH: '/usr/bin/chromium' }, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  return JSON.parse(readFileSync(output, 'utf8'))
}

/** Creates the page /about. Returns the cookies of its author. */
async function seed() {
  const { token, cookies } = await product.claim()
  const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': 'operator' }
  const body = `# About us\n\nWe bake **bread**.\n\n${'We open at six, every day but Monday.\n\n'.repeat(20)}`
  const about = { slug: 'about', title: 'About us', body }
  const page = await product.call('POST', '/v1/content/pages', about, headers)
  await product.call('POST', `/v1/content/pages/${page.body.id}/publish`, {}, headers)
  return cookies.join('; ')
}
