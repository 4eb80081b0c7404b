import test from 'ava'
import { createSecrets } from '../../../kernel/base/secrets.ts'

const old = createSecrets(['o'.repeat(32)])
const rotating = createSecrets(['n'.repeat(32), 'o'.repeat(32)])
const fresh = createSecrets(['n'.repeat(32)])

test('verifies a signature only for its purpose and its parts', t => {
  const signature = old.sign('invitation', 'inv_1', '3')
  t.true(old.verify(signature, 'invitation', 'inv_1', '3'))
  t.false(old.verify(signature, 'reset', 'inv_1', '3'))
  t.false(old.verify(signature, 'invitation', 'inv_1', '4'))
  t.false(old.verify(signature, 'invitation', 'inv_13', ''))
  t.false(old.verify('', 'invitation', 'inv_1', '3'))
  t.false(old.verify('%%%', 'invitation', 'inv_1', '3'))
})

test('distinguishes different splits of the same text into parts', t => {
  t.not(old.sign('p', 'ab', 'c'), old.sign('p', 'a', 'bc'))
})

test('during a rotation, verifies and decrypts with the older secret and signs with the newer one', t => {
  t.true(rotating.verify(old.sign('p', 'x'), 'p', 'x'))
  t.is(rotating.decrypt('p', old.encrypt('p', 'plain')), 'plain')
  t.is(rotating.sign('p', 'x'), fresh.sign('p', 'x'))
  t.false(fresh.verify(old.sign('p', 'x'), 'p', 'x'))
})

test('encrypts again what an older secret encrypted', t => {
  t.deepEqual([old.rotating, rotating.rotating], [false, true])
  const again = rotating.reencrypt('p', old.encrypt('p', 'plain'))
  t.is(again && fresh.decrypt('p', again), 'plain')
  t.is(rotating.reencrypt('p', fresh.encrypt('p', 'plain')), undefined)
  t.throws(() => fresh.reencrypt('p', old.encrypt('p', 'plain')), { message: /not encrypted by this server/ })
})

test('rejects ciphertext of another purpose and modified ciphertext', t => {
  const sealed = old.encrypt('answers', 'Grüße')
  t.is(old.decrypt('answers', sealed), 'Grüße')
  t.throws(() => old.decrypt('other', sealed), { message: /not encrypted by this server for 'other'/ })
  sealed[sealed.length - 1] = (sealed[sealed.length - 1] as number) ^ 1
  t.throws(() => old.decrypt('answers', sealed))
  t.throws(() => old.decrypt('answers', Buffer.alloc(3)))
})
