import test from 'ava'
import { Type } from '../../../kernel/base/typebox.ts'
import { createValidator } from '../../../kernel/base/validation.ts'
import { parseUrl } from '../../../kernel/base/web-address.ts'
import { createTargets, parseAllowedHosts } from '../../../services/outbound/targets.ts'

const IMPOSSIBLE = [
  'https://a..example/',
  'https://.example/',
  'https://a.example../',
  'https://-a.example/',
  'https://a-.example/',
  'https://*.a.example/',
  'https://a.example,b.example/',
  `https://${'a'.repeat(64)}.example/`,
  `https://${'a.'.repeat(130)}example/`,
  'https://1.2.3.256/',
  'https://a.example:0/',
  'https://a.example:99999/',
  'https:///a.example',
  'https:a.example',
  'https://',
]
const POSSIBLE = [
  'https://a.example',
  'https://a.example./',
  'HTTPS://A.EXAMPLE/b',
  'https://bücher.example/',
  'https://xn--bcher-kva.example/',
  'http://my_server:8080/',
  'http://localhost:3000/',
  'http://[::1]:8080/',
  'http://10.0.0.1/',
]

for (const url of IMPOSSIBLE)
  test(`refuses the URL ${url.slice(0, 40)} of ${url.length} characters`, t => {
    t.is(parseUrl(url), undefined)
    t.not(createTargets(parseAllowedHosts([]), 'modules.x.allow').refusal(url), undefined)
    t.throws(() => createValidator().body(Type.Object({ url: Type.String({ format: 'uri' }) }))({ url }))
  })

for (const url of POSSIBLE)
  test(`takes the URL ${url}`, t => {
    t.truthy(parseUrl(url))
    t.notThrows(() => createValidator().body(Type.Object({ url: Type.String({ format: 'uri' }) }))({ url }))
  })

test('takes URLs of other schemes, with or without a host', t => {
  for (const url of [
    'mailto:ada@acme.example',
    'com.acme.app:/signed-in',
    'rtmp://edge.example/live',
    'urn:isbn:0451450523',
  ])
    t.truthy(parseUrl(url), url)
})
