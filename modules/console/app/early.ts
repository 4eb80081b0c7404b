/**
 * A script inside the document. It runs before the first paint and before the application has loaded: it sets the color
 * scheme, and starts the requests with which every screen begins.
 */
import { applyTheme, storedTheme } from './browser/color-scheme.ts'
import { audience, BASE, hasModuleScreens } from './browser/document.ts'
import { requestHeaders, startRequest } from './browser/early-requests.ts'
import { initialLanguage, showLanguage } from './locales/language.ts'

applyTheme(storedTheme())
const language = initialLanguage()
showLanguage(language)
const isHome = location.pathname.replace(/\/$/, '') === BASE
for (const address of [
  '/v1/me',
  '/v1/platform/resources',
  ...(audience === 'teams' ? ['/v1/identity/tenants?limit=200'] : []),
  ...(hasModuleScreens ? ['/v1/console/screens'] : []),
  ...(isHome ? ['/v1/console/home'] : []),
])
  startRequest(address, requestHeaders(language))
