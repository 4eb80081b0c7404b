import test from 'ava'
import { overrideErrors } from '../../../../modules/comms/domain/product-mail-policy.ts'

const LINK = 'https://acme.test/reset-password?token=rst_1.1.x'
const PRODUCT = {
  subject: 'Reset your password',
  html: `<!doctype html><html><head><title>Acme</title><style>p { margin: 0 }</style></head>
<body><p>Hello Ada</p><p><a class="button" href="${LINK}">Reset the password</a></p></body></html>`,
  text: `Hello Ada\n\nReset the password: ${LINK}`,
}
const DATA = { name: 'Ada', workspace: 'Ada & Sons Inc.', link: LINK }

/** Errors of a mail with this body before the product's link, as `pointer code`. */
async function errorsOf(more: string, { subject = 'Your password', text = '' } = {}): Promise<string[]> {
  const html = PRODUCT.html.replace('<p>Hello Ada</p>', more)
  const errors = await overrideErrors({ subject, html, text: `${text}\n${LINK}` }, PRODUCT, DATA)
  return [...new Set(errors.map(({ pointer, code }) => `${pointer} ${code}`))]
}

test('accepts another wording with the links of the product', async t => {
  for (const html of [
    '<h1 style="color: rgb(10, 20, 30); width: calc(100% - 2px)">Dear Ada & Sons Inc.</h1>',
    '<table role="presentation"><tr><td align="center">Version 2.0, e.g. on 1.12.2026 at 9.30</td></tr></table>',
    `<p style="font-family: 'Segoe UI', sans-serif">Open <a href="${LINK}">this page</a>…</p>`,
  ])
    t.deepEqual(await errorsOf(html), [], html)
})

test('refuses a link of another address, however it is written', async t => {
  for (const html of [
    '<a href="https://evil.test">x</a>',
    '<a href=" https://evil.test ">x</a>',
    '<a href="&#104;ttps://evil.test">x</a>',
    '<a href="//evil.test">x</a>',
    '<A HREF=javascript:alert(1)>x</A>',
    `<a href="${LINK}@evil.test">x</a>`,
    `<a href="${LINK.replace('acme', 'acmе')}">x</a>`,
    '<a xlink:href="https://evil.test">x</a>',
  ])
    t.true((await errorsOf(html)).includes('/html link_not_allowed'), html)
})

test('refuses names that mail clients turn into links', async t => {
  for (const words of [
    'evil.test',
    'www.evil',
    'evil。test',
    'evil．test',
    'evil․test',
    'evil.xn--p1ai',
    'EVIL.TEST/reset',
    'ev\u00adil\u200b.te\u2063st',
    'evil\u2061.test',
    'evil\u034f.\ufe0ftest',
    'evil.\u{e0020}test',
    'write to help@evil.test',
  ]) {
    t.true((await errorsOf(`<p>${words}</p>`)).includes('/html link_not_allowed'), words)
    t.true((await errorsOf('', { text: words })).includes('/text link_not_allowed'), words)
    t.true((await errorsOf('', { subject: words })).includes('/subject link_not_allowed'), words)
  }
  for (const html of ['evil&#46;test', 'evil&period;test', 'evil.<b>test</b>', '<i>ev</i>il<span>.</span>te<!-- -->st'])
    t.true((await errorsOf(html)).includes('/html link_not_allowed'), html)
})

test('refuses what loads files or runs scripts', async t => {
  for (const html of [
    '<img src="https://evil.test/x.png">',
    '<p background="https://evil.test/x.png">x</p>',
    '<p onclick="x()">x</p>',
    '<style>@import "https://evil.test/x.css"</style>',
    '<script>x()</script>',
    '<form action="https://evil.test"><input name="password"></form>',
    '<meta http-equiv="refresh" content="0; url=https://evil.test">',
    '<base href="https://evil.test/">',
    '<svg><a href="https://evil.test">x</a></svg>',
    '<p style="background: url(https://evil.test/x.png)">x</p>',
    '<p style="background: u\\72l(https://evil.test/x.png)">x</p>',
    '<p style="background: image-set(\'https://evil.test/x.png\' 1x)">x</p>',
    '<p style="background: cross-fade(\'https://evil.test/x.png\', red)">x</p>',
    '<p style="background: image/**/(\'https://evil.test/x.png\')">x</p>',
  ])
    t.true((await errorsOf(html)).includes('/html not_allowed'), html)
})

test('refuses what mail clients read in another way than the check', async t => {
  for (const html of [
    '<!--><a href="https://evil.test">x</a>-->',
    '<![CDATA[><a href="https://evil.test">x</a>]]>',
    '<!x><p>x</p>',
    '<?xml ><p>x</p>?>',
    '<title><a href="https://evil.test">x</a></title>',
    '<textarea><a href="https://evil.test">x</a></textarea>',
    '<noscript><a href="https://evil.test">x</a></noscript>',
  ])
    t.true((await errorsOf(html)).includes('/html not_allowed'), html)
})

test('keeps the links of the product in both parts', async t => {
  const errors = await overrideErrors({ subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' }, PRODUCT, DATA)
  t.deepEqual(
    errors.map(({ pointer, code }) => `${pointer} ${code}`),
    ['/html link_missing', '/text link_missing'],
  )
  // The query has a token.
  t.false(errors.some(({ detail }) => detail.includes('rst_1')))
})

test('refuses a body that is too long before it is parsed', async t => {
  const errors = await overrideErrors({ ...PRODUCT, html: '<a>'.repeat(50_000) }, PRODUCT, DATA)
  t.deepEqual(
    errors.map(({ pointer, code }) => `${pointer} ${code}`),
    ['/html too_large'],
  )
})
