import { Ajv2020 } from 'ajv/dist/2020.js'
import test from 'ava'
import { parseTarget } from '../../../kernel/base/http-target.ts'
import { inEnglish } from '../../../kernel/base/wording.ts'
import { WebhooksOptions } from '../../../modules/webhooks/options.ts'
import { createTargets, parseAllowedHosts } from '../../../services/outbound/targets.ts'

const SETTING = 'modules.webhooks.allowHosts'
const targets = createTargets(parseAllowedHosts(), SETTING)
const refusalOf = (of: typeof targets, url: string): string => {
  const refusal = of.refusal(url)
  return refusal ? inEnglish(refusal) : ''
}

test('accepts host names and public addresses', t => {
  for (const url of [
    'https://example.com/hook',
    'http://example.com:8080/a?b=c',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://EXAMPLE.com./',
  ])
    t.is(targets.refusal(url), undefined, url)
})

test('rejects literal private addresses in any notation', t => {
  for (const url of [
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://１２７.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fe80::1]/',
    'http://10.0.0.1:8080/',
    'https://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://192.168.1.1/',
    'http://0/',
  ])
    t.regex(refusalOf(targets, url), /private network/, url)
})

test('rejects user information', t => {
  for (const url of ['https://user@example.com/', 'https://user:secret@example.com/', 'https://:secret@example.com/'])
    t.is(refusalOf(targets, url), 'must not contain a user name or password', url)
})

test('rejects text that is not an http or https URL', t => {
  for (const url of ['', '/hook', 'ftp://example.com/', 'file:///etc/passwd', 'http://', 'javascript:1', 'http://a b/'])
    t.regex(refusalOf(targets, url), /absolute http or https URL/, url)
  t.regex(refusalOf(targets, `https://example.com/${'x'.repeat(2048)}`), /2048/)
})

test('allows configured hosts with or without a port', t => {
  const { refusal } = createTargets(parseAllowedHosts(' LOCALHOST., 127.0.0.1:9000 ,[::1],'), SETTING)
  for (const url of ['http://localhost:1/', 'http://127.0.0.1:9000/', 'http://[::1]:5/'])
    t.is(refusal(url), undefined, url)
  for (const url of ['http://127.0.0.1:9001/', 'http://127.0.0.1/', 'http://10.0.0.1/', 'http://u@localhost/'])
    t.not(refusal(url), undefined, url)
  t.true(parseAllowedHosts(['a.test'])({ hostname: 'a.test', host: 'a.test:80' }))
  t.false(parseAllowedHosts('')({ hostname: '', host: ':80' }))
})

test('a target has a host with port, and an address with path', t => {
  const target = parseTarget('https://Example.com./a/b?c=d')
  t.is(target?.host, 'example.com:443')
  t.is(target?.address, 'example.com:443/a/b')
  t.is(parseTarget('http://[::1]:81/')?.hostname, '::1')
})

test('accepts host names and addresses in the options and rejects patterns that never match', t => {
  const check = new Ajv2020({ strict: false }).compile(WebhooksOptions)
  for (const allowHosts of [
    '',
    'localhost',
    'localhost, hooks.internal:8080, [::1]:90',
    ['localhost:4000', '10.0.0.7', '::1'],
  ])
    t.true(check({ allowHosts }), `${allowHosts}`)
  for (const wrong of ['http://localhost', '10.0.0.0/8', '*.internal', 'me@localhost']) {
    t.false(check({ allowHosts: `localhost, ${wrong}` }), wrong)
    t.false(check({ allowHosts: [wrong] }), wrong)
  }
  t.false(check({ allowHosts: ['a, b'] }))
})

test('a URL with port 0 is refused', t => {
  t.is(refusalOf(targets, 'https://example.com:0/'), 'must not use port 0')
  t.is(
    refusalOf(
      createTargets(() => true, SETTING),
      'http://localhost:0/',
    ),
    'must not use port 0',
  )
})

test('refuses names of this machine, except in development', t => {
  const production = createTargets(parseAllowedHosts(), SETTING)
  const development = createTargets(parseAllowedHosts('', true), SETTING)
  for (const url of [
    'http://localhost:8285/hook',
    'http://app.localhost/',
    'http://127.0.0.1:3000/',
    'http://[::1]/',
  ]) {
    t.regex(refusalOf(production, url), /this machine.*`modules\.webhooks\.allowHosts`/, url)
    t.is(development.refusal(url), undefined, url)
  }
  for (const url of ['http://10.0.0.1/', 'http://[::ffff:127.0.0.1]/', 'http://0/'])
    t.regex(refusalOf(development, url), /private network/, url)
})
