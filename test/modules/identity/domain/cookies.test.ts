import test from 'ava'
import { clearedCookies, loginCookie, tenantCookie } from '../../../../modules/identity/domain/cookies.ts'

test('the session cookie is out of reach of scripts and of other sites', t => {
  t.is(
    loginCookie('secret', { secure: true, maxAge: 60 }),
    'platform_session=secret; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure',
  )
})

test('without https a browser would not send back a Secure cookie, so there is none', t => {
  t.notRegex(tenantCookie('ten_1', { secure: false, maxAge: 60 }), /Secure/)
})

test('going out makes the browser forget both cookies', t => {
  const gone = clearedCookies(true)
  t.deepEqual(
    gone.map(cookie => cookie.split('=')[0]),
    ['platform_session', 'platform_tenant'],
  )
  for (const cookie of gone) t.regex(cookie, /=; .*Max-Age=0; Secure$/)
})
