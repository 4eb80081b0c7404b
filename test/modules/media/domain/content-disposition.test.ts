import test from 'ava'
import { attachment, variantName } from '../../../../modules/media/domain/content-disposition.ts'
import { canonicalType, extensionOf, fitsExtension } from '../../../../modules/media/domain/file-types.ts'
import { isTooSlow } from '../../../../modules/media/domain/minimum-throughput.ts'
import { retryDelay } from '../../../../modules/media/domain/retry-delay.ts'

test('always sends a download as an attachment', t => {
  t.is(attachment('plan.pdf'), 'attachment; filename="plan.pdf"')
  t.is(attachment('a"b\\c.pdf'), `attachment; filename="a_b_c.pdf"; filename*=UTF-8''a%22b%5Cc.pdf`)
  t.is(attachment('100%.pdf'), `attachment; filename="100_.pdf"; filename*=UTF-8''100%25.pdf`)
  t.is(attachment("it's (1)*.pdf"), `attachment; filename="it's (1)*.pdf"`)
  t.is(attachment('日本.pdf'), `attachment; filename="__.pdf"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.pdf`)
  t.is(attachment('é (1).pdf'), `attachment; filename="_ (1).pdf"; filename*=UTF-8''%C3%A9%20%281%29.pdf`)
  t.is(attachment('a\r\nset-cookie: x.pdf').includes('\n'), false)
  t.is(attachment('\ud800.pdf'), 'attachment; filename="_.pdf"')
})

test('names a variant after its file', t => {
  t.is(variantName('a.b.png', 'thumbnail', 'webp'), 'a.b.thumbnail.webp')
  t.is(variantName('.png', 'thumbnail', 'webp'), '.png.thumbnail.webp')
})

test('normalizes aliases of media types', t => {
  t.is(canonicalType('Image/JPG; charset=x'), 'image/jpeg')
  t.is(canonicalType('application/x-zip-compressed'), 'application/zip')
  t.is(canonicalType('constructor'), 'constructor')
})

test('uses the last extension of a file name', t => {
  t.is(extensionOf('a.png.exe'), 'exe')
  t.is(extensionOf('a.'), '')
  t.is(extensionOf('png'), '')
  t.true(fitsExtension('image/jpeg', 'A.JPEG'))
  t.false(fitsExtension('image/jpeg', 'a.png'))
  t.false(fitsExtension('image/unknown', 'a.png'))
})

test('applies the minimum throughput after the first seconds', t => {
  t.false(isTooSlow(0, 15_000))
  t.true(isTooSlow(0, 15_001))
  t.false(isTooSlow(1_000_000, 60_000))
  t.true(isTooSlow(100_000, 60_000))
})

test('backs off retries up to one hour', t => {
  const minutes = [1, 2, 3, 6, 7, 100].map(tries => retryDelay(tries) / 60_000)
  t.deepEqual(minutes, [1, 2, 4, 32, 60, 60])
})
