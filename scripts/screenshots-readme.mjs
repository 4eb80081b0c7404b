// `npm run screenshots:readme`: starts the starter `marketplace` with sample courses, and saves docs/images/marketplace.png,
// the picture of README.md: the console behind a page of the product.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { startRecipe } from './product.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OUTPUT = join(ROOT, 'docs/images/marketplace.png')
const COURSES = [
  { title: 'Watercolor landscapes', level: 'beginner', startsAt: '2027-01-14T17:00:00Z', hue: 190 },
  { title: 'Sourdough at home', level: 'beginner', startsAt: '2027-01-20T17:30:00Z', hue: 35 },
  { title: 'Street photography', level: 'advanced', startsAt: '2027-01-25T18:00:00Z', hue: 265 },
  { title: 'Songwriting', level: 'beginner', startsAt: '2027-02-08T18:00:00Z', hue: 340 },
  { title: 'Chess endgames', level: 'advanced', startsAt: '2027-02-10T18:00:00Z', hue: 215 },
  {
    title: 'Bookbinding',
    level: 'beginner',
    startsAt: '2027-02-15T17:00:00Z',
    hue: 150,
    published: false,
  },
]

const data = mkdtempSync(join(tmpdir(), 'larder-picture-'))
cpSync(join(ROOT, 'starters/marketplace'), data, { recursive: true })
const product = await startRecipe(data, { RATE_LIMITS: 'off' })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const { token, cookies } = await product.claim()
  await addCourses({ authorization: `Bearer ${token}`, 'x-tenant-id': 'operator' })
  const list = await shot({
    path: '/console/operator/collections/courses',
    width: 1180,
    height: 770,
    cookies,
    shows: 'tbody a',
  })
  const page = await shot({ path: '/', width: 760, height: 900, cookies: [], shows: '.cover-card' })
  mkdirSync(join(ROOT, 'docs/images'), { recursive: true })
  await sharp(await together(list, page))
    .png({ palette: true, quality: 90, effort: 10 })
    .toFile(OUTPUT)
  console.log(OUTPUT)
} finally {
  await browser.close()
  await product.stop()
  rmSync(data, { recursive: true, force: true })
}

async function addCourses(headers) {
  const { body: categories } = await product.call('GET', '/v1/data/categories', undefined, headers)
  const { body: existing } = await product.call('GET', '/v1/data/courses', undefined, headers)
  for (const [index, course] of existing.data.entries())
    await product.call(
      'PATCH',
      `/v1/data/courses/${course.id}`,
      { cover: await cover(index * 70 + 100, headers) },
      headers,
    )
  for (const { hue, ...course } of COURSES)
    await product.call(
      'POST',
      '/v1/data/courses',
      {
        published: true,
        summary: 'Live lessons in a small group, with exercises and a recording of every evening.',
        category: categories.data[0].id,
        cover: await cover(hue, headers),
        ...course,
      },
      headers,
    )
}

/** Uploads a picture in shades of one hue (degrees), and returns its ID. */
async function cover(hue, headers) {
  const color = (turn, lightness) => `hsl(${hue + turn} 55% ${lightness}%)`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540">
    <rect width="960" height="540" fill="${color(0, 78)}"/>
    <circle cx="730" cy="170" r="90" fill="${color(30, 90)}"/>
    <path d="M0 400 Q 220 220 480 380 T 960 320 V 540 H 0 Z" fill="${color(-15, 60)}"/>
    <path d="M0 470 Q 300 340 560 460 T 960 430 V 540 H 0 Z" fill="${color(-30, 42)}"/>
  </svg>`
  const form = new FormData()
  form.append('file', new Blob([await sharp(Buffer.from(svg)).png().toBuffer()], { type: 'image/png' }), 'cover.png')
  const id = await product.upload(form, headers)
  await product.call('POST', `/v1/media/${id}/publish`, undefined, headers)
  return id
}

/** Returns a screen as PNG, as a data URL, once it shows what the selector finds. */
async function shot({ path, width, height, cookies, shows }) {
  const context = await browser.newContext({ locale: 'en', viewport: { width, height }, deviceScaleFactor: 2 })
  await context.addCookies(
    cookies.map(pair => {
      const at = pair.indexOf('=')
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: product.base }
    }),
  )
  const page = await context.newPage()
  await page.goto(product.base + path)
  await page.locator(shows).first().waitFor()
  await page.waitForLoadState('networkidle')
  const png = await page.screenshot()
  await context.close()
  return `data:image/png;base64,${png.toString('base64')}`
}

/** Returns both screens on one ground, as PNG. */
async function together(back, front) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 800 } })
  await page.setContent(`<style>
    body { margin: 0; width: 1400px; height: 800px; position: relative; background: #e9eef6; overflow: hidden }
    img { position: absolute; border-radius: 10px; box-shadow: 0 12px 40px rgb(20 30 60 / 22%) }
  </style>
  <img src="${back}" style="left: 40px; top: 40px; width: 1040px">
  <img src="${front}" style="right: 40px; bottom: 40px; width: 500px">`)
  await page.waitForFunction(() => [...document.images].every(image => image.complete && image.naturalWidth > 0))
  return page.screenshot()
}
