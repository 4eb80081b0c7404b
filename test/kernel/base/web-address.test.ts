import test from 'ava'
import { Type } from '../../../kernel/base/typebox.ts'
import { createValidator } from '../../../kernel/base/validation.ts'
import { parseUrl, urlPattern } from '../../../kernel/base/web-address.ts'
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

test('the pattern of optional URLs takes an empty text and hosts that can exist', t => {
  const pattern = new RegExp(urlPattern('rtmps?'), 'u')
  for (const url of [
    '',
    'rtmp://edge.example/live',
    'rtmps://ada:p%40ss@edge.example.:1935/live?x=1',
    'rtmp://my_server',
    'rtmp://bücher.example',
    'rtmp://[::1]:1935',
  ])
    t.regex(url, pattern)
  for (const url of [
    'rtmp://',
    'rtmp:///live',
    'rtmp://a..example/live',
    'rtmp://.example',
    'rtmp://-a.example',
    'rtmp://a-.example',
    `rtmp://${'a'.repeat(64)}.example`,
    'rtmp://a.example:0',
    'rtmp://a.example:65536',
    'rtmp://a b.example',
    'http://a.example',
  ])
    t.notRegex(url, pattern)
})

test('the pattern of a server takes a host that can exist with a port, and nothing else', t => {
  const pattern = new RegExp(urlPattern('tcp', 'host:port'), 'u')
  for (const url of ['', 'tcp://127.0.0.1:3310', 'tcp://clamd:1', 'tcp://scan.acme.example:65535', 'tcp://[::1]:3310'])
    t.regex(url, pattern)
  for (const url of [
    'tcp://a..b:3310',
    'tcp://-a:3310',
    'tcp://a b:3310',
    'tcp://:3310',
    'tcp://a',
    'tcp://a:0',
    'tcp://a:65536',
    'tcp://a:3310/path',
    'tcp://ada@a:3310',
    'http://a:3310',
  ])
    t.notRegex(url, pattern)
})

test('a URL of another scheme names a host that can exist', t => {
  const check = createValidator().body(Type.Object({ url: Type.String({ format: 'uri' }) }))
  t.notThrows(() => check({ url: 'rtmp://edge.example/live' }))
  t.notThrows(() => check({ url: 'com.acme.app:/signed-in' }))
  t.throws(() => check({ url: 'rtmp://a..example/live' }))
})
