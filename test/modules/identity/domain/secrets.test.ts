import test from 'ava'
import fc from 'fast-check'
import {
  hashSecret,
  isApiKey,
  isCookieSecret,
  isDashboardToken,
  newApiKey,
  newClaimCode,
  newCookieSecret,
  newDashboardToken,
  normalizeClaimCode,
} from '../../../../modules/identity/domain/secrets.ts'

test('an API key has the product key, `live`, 32 random characters and a 6-character checksum', t => {
  const { key, prefix } = newApiKey('acme')
  t.regex(key, /^acme_live_[0-9A-Za-z]{38}$/)
  t.true(key.startsWith(prefix))
  t.is(prefix.length, 'acme_live_'.length + 4)
  t.true(isApiKey(key))
})

test('creates a valid key for a product key with special characters', t => {
  for (const product of ['My-Product', 'a_b', 'Ünï', '---']) t.true(isApiKey(newApiKey(product).key), product)
})

test('rejects a mistyped API key by its checksum', t => {
  const { key } = newApiKey('acme')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: key.length - 1 }), fc.constantFrom(...'09AZaz'), (at, letter) => {
      const typed = key.slice(0, at) + letter + key.slice(at + 1)
      t.is(isApiKey(typed), typed === key)
    }),
  )
})

test('never confuses API keys, dashboard tokens and cookie secrets', t => {
  const made = Array.from({ length: 200 }, () => [newApiKey('k').key, newDashboardToken(), newCookieSecret()]).flat()
  t.is(new Set(made).size, made.length)
  t.true(isDashboardToken(newDashboardToken()))
  t.false(isDashboardToken(newCookieSecret()))
  t.true(isCookieSecret(newCookieSecret()))
  t.false(isCookieSecret(newDashboardToken()))
  t.false(isApiKey(newDashboardToken()))
})

test('rejects an overlong text as API key', t => {
  t.false(isApiKey(`a${'a'.repeat(1_000_000)}_live_${'0'.repeat(38)}`))
})

test('uses all base62 characters about equally often', t => {
  const counts = new Map<string, number>()
  for (let i = 0; i < 2_000; i++)
    for (const letter of newApiKey('k').key.slice('k_live_'.length, -6))
      counts.set(letter, (counts.get(letter) ?? 0) + 1)
  t.is(counts.size, 62)
  const expected = (2_000 * 32) / 62
  for (const [letter, count] of counts) t.true(Math.abs(count - expected) < expected * 0.25, `${letter}: ${count}`)
})

test('hashes secrets with SHA-256', t => {
  t.is(hashSecret('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('reads a claim code regardless of case and separators', t => {
  const code = newClaimCode()
  t.regex(code, /^([2-9B-DF-HJ-NP-TV-Z]{4}-){3}[2-9B-DF-HJ-NP-TV-Z]{4}$/)
  t.is(normalizeClaimCode(` ${code.toLowerCase().replaceAll('-', ' ')} `), normalizeClaimCode(code))
})
