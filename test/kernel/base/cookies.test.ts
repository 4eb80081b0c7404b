import test from 'ava'
import { readCookie, setCookie } from '../../../kernel/base/index.ts'

test('finds a cookie by its full name', t => {
  t.is(readCookie('xplatform_session=a; platform_session=b; platform_session=c', 'platform_session'), 'b')
  t.is(readCookie('platform_session=', 'platform_session'), undefined)
  t.is(readCookie('a=1', 'platform_session'), undefined)
  t.is(readCookie(undefined, 'platform_session'), undefined)
})

test('writes a cookie for the whole site that scripts cannot read', t => {
  t.is(setCookie('a', 'b', { secure: false, maxAge: 60 }), 'a=b; Max-Age=60; Path=/; HttpOnly; SameSite=Lax')
  t.is(
    setCookie('a', '', { secure: true, maxAge: 0, path: '/x' }),
    'a=; Max-Age=0; Path=/x; HttpOnly; Secure; SameSite=Lax',
  )
})
