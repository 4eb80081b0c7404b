/** Two ways to sign in without a password: one that posts a user id, and one that redirects like OAuth 2.0. */

import { defineModule } from '@larder-dev/larder/kernel'
import type { Request } from 'express'
import passport from 'passport'

class UserIdStrategy extends passport.Strategy {
  override authenticate({ body }: Request): void {
    this.success({ userId: String(body?.userId) })
  }
}

class RedirectStrategy extends passport.Strategy {
  override authenticate({ query }: Request): void {
    if (typeof query.code === 'string') this.success({ userId: query.code })
    else this.redirect('https://id.example.test/authorize')
  }
}

export default defineModule({
  name: 'sign-in',
  signInMethods: () => [
    { name: 'direct', label: 'Direct', flow: 'credentials', strategy: () => new UserIdStrategy() },
    { name: 'redirect', label: 'Redirect', flow: 'redirect', strategy: () => new RedirectStrategy() },
  ],
})
