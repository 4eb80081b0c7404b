import { randomBytes } from 'node:crypto'
import {
  type Caller,
  common,
  consoleLocale,
  type Deps,
  listOf,
  once,
  type RawRequest,
  type RawResponse,
  rawRoute,
  route,
} from '@larder-dev/larder/kernel'
import { CONSOLE_LANGUAGES, TENANT_PARAMETER, tenantCookie } from '@larder-dev/larder/kernel/internal'
import { customerAreas } from '../domain/areas.ts'
import type { ConsoleOptions } from '../options.ts'
import { ListedScreen } from '../records/screen.ts'
import type { Bundle, DocumentValues, DocumentWorkspace } from '../services/bundle.ts'
import type { ModuleScreens } from '../services/module-screens.ts'

/** One nonce for the whole document: React Aria and CodeMirror read it from the `csp-nonce` element. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob: https:",
    "font-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** `--surface`, `--bg` and `--hover` of the application's `base.css`. */
const SURFACES = { light: ['#ffffff', '#f7f8fa', '#f1f3f7'], dark: ['#161a24', '#0f121a', '#1d222f'] }

/** A slug or an ID. */
const WORKSPACE = /^[\w-]{1,128}$/
const IMMUTABLE = 'public, max-age=31536000, immutable'

type ConsoleDeps = Deps<
  'product' | 'operator' | 'tenantDirectory' | 'callerRights' | 'authenticator' | 'registry' | 'theme'
> & {
  readonly bundle: Bundle
  readonly moduleScreens: ModuleScreens
}
interface Visit {
  readonly caller: Caller
  /** The workspace of the site's pages. */
  readonly tenantId: string | undefined
  /** Compresses a text as the client accepts it. */
  readonly encode: (text: string) => Promise<Encoded>
}
interface Encoded {
  readonly body: string | Buffer
  readonly headers: Readonly<Record<string, string>>
}
interface Shown extends Pick<Visit, 'caller' | 'encode'> {
  readonly pathname: string
}

/**
 * `/console/<workspace>` and every path below it answer with the same document; the application shows the screen of the
 * path. Other paths of the console lead to their screen in the current workspace.
 */
export function applicationRoutes(
  {
    product,
    operator,
    tenantDirectory,
    callerRights,
    authenticator,
    registry,
    theme,
    bundle,
    moduleScreens,
  }: ConsoleDeps,
  options: ConsoleOptions,
) {
  const secure = product.publicUrl.startsWith('https://')
  const { default: standard, available } = product.locales
  const locales = [standard, ...available.filter(locale => locale !== standard)]
  /** Languages of the product that it translates texts to, and in which the console isn't written. */
  const languages = () =>
    locales
      .filter(locale => !CONSOLE_LANGUAGES.some(written => locale === written || locale.startsWith(`${written}-`)))
      .filter(locale => Object.keys(theme.translations(locale)).length > 0)

  const resources = once(
    () =>
      new Set(
        registry
          .collect<readonly { readonly name: string }[]>('resources')
          .flatMap(({ key, value }) => value.map(({ name }) => `${key}/${name}`)),
      ),
  )
  /** @param path below that of the workspace */
  function screenAt(path: string): DocumentValues['screen'] {
    const [first = '', second = ''] = path.split('/').filter(part => part !== '')
    if (first === '') return 'home'
    return resources().has(`${first}/${second}`) ? 'resource' : undefined
  }

  /** The workspace that the path names, if the reader belongs to it. */
  async function workspaceOf(caller: Caller, idOrSlug: string): Promise<DocumentWorkspace | undefined> {
    const found = idOrSlug === '' ? undefined : await tenantDirectory.find(idOrSlug)
    const rights = found && (await callerRights.current(found.id, caller))
    return found && rights ? { id: found.id, slug: found.slug, isMember: rights.memberId !== '' } : undefined
  }

  async function sendDocument(
    response: RawResponse,
    workspace: DocumentWorkspace | undefined,
    { pathname, caller: { isCustomer, isSuspended }, encode }: Shown,
  ): Promise<void> {
    const isOfStaff = workspace?.id === operator.tenantId && !isCustomer && !isSuspended
    const nonce = randomBytes(16).toString('base64url')
    const document = await bundle.document({
      nonce,
      product: product.name,
      audience: product.audience,
      locales,
      languages: languages(),
      workspace,
      areas: isOfStaff ? null : customerAreas(options, registry.declared()),
      sidebar: options.sidebar ?? [],
      brand: theme.brand(SURFACES),
      screens: moduleScreens.count,
      screen: screenAt(pathname.slice(`/console/${workspace?.slug ?? ''}`.length)),
    })
    // Its only secret is the nonce, which is different in every response.
    const { body, headers } = await encode(document)
    response
      .set({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy(nonce),
        'cache-control': 'no-store',
        // The site follows: its pages show the workspace that the console shows.
        ...(workspace && { 'set-cookie': tenantCookie(workspace.id, { secure }) }),
        ...headers,
      })
      .send(body)
  }

  async function show(request: RawRequest, response: RawResponse, { caller, tenantId, encode }: Visit): Promise<void> {
    const { pathname, searchParams } = new URL(request.originalUrl, product.publicUrl)
    const shown = { pathname, caller, encode }
    const screen = pathname.slice('/console/'.length)
    const [first = ''] = screen.split('/', 1)
    // The console of the only workspace says that the person is suspended.
    const only = caller.isSuspended && (await tenantDirectory.get(operator.tenantId))
    if (only && first !== only.slug) return response.redirect(302, `/console/${only.slug}/`)
    if (only) return sendDocument(response, { id: only.id, slug: only.slug, isMember: true }, shown)
    const named = await workspaceOf(caller, first)
    if (named?.slug === first) {
      await authenticator.keepTenant?.(caller, named.id)
      return sendDocument(response, named, shown)
    }
    const workspace = named ?? (tenantId === undefined ? undefined : await tenantDirectory.get(tenantId))
    // Screens are below the key of their module. Another address names a workspace that the reader has left, or can't have.
    if (!named && WORKSPACE.test(first) && !registry.declared().some(({ key }) => key === first))
      return response.redirect(302, `/console${workspace ? `/${workspace.slug}/` : ''}?left=${first}`)
    if (!workspace) return sendDocument(response, undefined, shown)
    const rest = named ? screen.slice(first.length + 1) : screen
    searchParams.delete(TENANT_PARAMETER)
    const query = searchParams.size === 0 ? '' : `?${searchParams}`
    response.redirect(302, `/console/${workspace.slug}/${rest}${query}`)
  }

  const screen = { method: 'get', allow: 'user', apiKeys: false, from: 'page' } as const
  const docs = { replies: { 200: { 'text/html': null }, 302: { 'text/html': null } } }
  return [
    rawRoute({
      ...screen,
      path: '/console',
      operationId: 'getConsole',
      summary:
        'Redirects to the console of the current workspace. Browsers that are signed out go to the sign-in page first.',
      docs,
      handle: show,
    }),
    rawRoute({
      ...screen,
      path: '/console/*',
      operationId: 'getConsoleScreen',
      summary: 'Returns the console of a workspace at one of its screens.',
      docs,
      handle: show,
    }),
    rawRoute({
      ...screen,
      path: '/console/screens/:workspace/:module/:name',
      operationId: 'getModuleScreen',
      summary: 'Returns the script of a screen of a module. Requires its permission in the workspace.',
      docs: { replies: { 200: { 'text/javascript': null } } },
      async handle({ params }, response, { caller }) {
        const workspace = await tenantDirectory.find(String(params.workspace))
        const rights = workspace && (await callerRights.current(workspace.id, caller))
        const script = rights && moduleScreens.script(String(params.module), String(params.name), rights.permissions)
        if (!script) throw common.not_found({ what: 'screen' })
        response
          .set({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'private, no-cache' })
          .send(await script)
      },
    }),
    rawRoute({
      ...screen,
      path: '/console/texts/:locale',
      operationId: 'getConsoleTexts',
      summary:
        'Returns the translations to a language, by the English text: for screens of modules, and for the whole console in a language that the product adds.',
      docs: { replies: { 200: { 'application/json': null } } },
      async handle({ params }, response) {
        const locale = String(params.locale)
        const forScreens = moduleScreens.count > 0 ? CONSOLE_LANGUAGES : []
        if (![...forScreens, ...languages()].includes(locale)) throw common.not_found({ what: 'file' })
        response
          .set({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-cache' })
          .send(JSON.stringify(theme.translations(locale)))
      },
    }),
    rawRoute({
      method: 'get',
      path: '/console/assets/:file',
      operationId: 'getConsoleAsset',
      allow: 'public',
      summary: 'Returns a script or style of the console. Its name contains a hash of its content.',
      docs: { replies: { 200: { 'text/javascript': null, 'text/css': null } } },
      async handle(request, response) {
        const file = await bundle.asset(String(request.params.file), request.headers['accept-encoding'])
        if (!file) throw common.not_found({ what: 'file' })
        const { type, bytes, encoding } = file
        response.set({ 'content-type': type, 'cache-control': IMMUTABLE, vary: 'accept-encoding' })
        if (encoding) response.set('content-encoding', encoding)
        response.send(bytes)
      },
    }),
  ]
}

export const screenRoutes = ({ moduleScreens, product }: Pick<ConsoleDeps, 'moduleScreens' | 'product'>) => [
  route({
    method: 'get',
    path: '/console/screens',
    operationId: 'listConsoleScreens',
    summary: 'Lists the screens of modules that the caller may open in the console.',
    description: 'In the language of `Accept-Language`.',
    allow: 'user',
    replies: { 200: listOf(ListedScreen) },
    handle: async ({ caller, request }) => ({
      data: moduleScreens.list(caller, consoleLocale(request, product)),
      nextCursor: null,
    }),
  }),
]
