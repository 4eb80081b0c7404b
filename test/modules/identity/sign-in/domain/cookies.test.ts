import test from 'ava'
import { tenantCookie } from '../../../../../kernel/base/cookies.ts'
import { clearedCookies, flowCookie, loginCookie } from '../../../../../modules/identity/domain/cookies.ts'

test('the login cookie is HttpOnly and SameSite', t => {
  t.is(
    loginCookie('secret', { secure: true, maxAge: 60 }),
    'platform_session=secret; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
  )
})

test('omits Secure without HTTPS', t => {
  t.notRegex(tenantCookie('ten_1', { secure: false, maxAge: 60 }), /Secure/)
})

test('with HTTPS, cookies that carry a sign-in are of this host alone', t => {
  const planted = 'platform_sign_in=planted; __Host-platform_sign_in=own'
  t.is(
    flowCookie.set('own', { secure: true, maxAge: 60 }),
    '__Host-platform_sign_in=own; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
  )
  t.is(flowCookie.read(planted, true), 'own')
  t.is(flowCookie.read(planted, false), 'planted')
})

test('signing out clears both cookies', t => {
  const gone = clearedCookies(true)
  t.deepEqual(
    gone.map(cookie => cookie.split('=')[0]),
    ['platform_session', 'platform_tenant'],
  )
  for (const cookie of gone) t.regex(cookie, /=; Max-Age=0; .*Secure/)
})
