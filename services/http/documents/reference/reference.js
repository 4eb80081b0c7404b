/** Starts the API reference at `/docs`. Runs before the script of Scalar, which renders it. */

const root = document.getElementById('reference')
const nonce = document.querySelector('meta[property=csp-nonce]').content
const texts = JSON.parse(root.dataset.texts)
const DOCUMENT_URL = '/v1/platform/openapi.json'
const WORKSPACE_KEY = 'reference.workspace'
/** This operation lists the workspaces of a reader who is signed in. */
const WORKSPACES_OPERATION = 'listTenants'
const ACRONYMS = ['API', 'CSV', 'ID', 'IDs', 'OFREP', 'QR', 'SEO', 'SMS', 'URL', 'URLs']
/** Code samples exist in curl, JavaScript, Python and Go. */
const HIDDEN_CLIENTS = [
  ...['c', 'clojure', 'csharp', 'dart', 'fsharp', 'http', 'java', 'julia', 'kotlin', 'node', 'objc', 'ocaml', 'php'],
  ...['powershell', 'r', 'ruby', 'rust', 'swift'],
]

allowStylesOfScripts()
addEventListener('DOMContentLoaded', () => {
  start().catch(error => {
    root.textContent = texts.failed
    throw error
  })
})

/**
 * The policy of this page forbids inline styles. Elements that a script creates get the nonce, and style attributes that
 * a script sets become CSSOM calls. Markup in the document of the API gets neither.
 */
function allowStylesOfScripts() {
  const { createElement } = document
  document.createElement = function (name, options) {
    const element = createElement.call(this, name, options)
    if (String(name).toLowerCase() === 'style') element.nonce = nonce
    return element
  }
  const { setAttribute } = Element.prototype
  Element.prototype.setAttribute = function (name, value) {
    if (name === 'style') this.style.cssText = value
    else setAttribute.call(this, name, value)
  }
  const { get, set } = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')
  // Highlighted code has the width of its line numbers in a style attribute.
  const HIGHLIGHTED = /^<code class="hljs([^"]*)" style="([^"]*)"/
  Object.defineProperty(Element.prototype, 'innerHTML', {
    configurable: true,
    enumerable: true,
    get,
    set(markup) {
      const [, , style] = HIGHLIGHTED.exec(markup) ?? []
      set.call(this, style === undefined ? markup : String(markup).replace(HIGHLIGHTED, '<code class="hljs$1"'))
      if (style !== undefined) this.firstElementChild.style.cssText = style
    },
  })
}

async function start() {
  const description = await fetchJson(DOCUMENT_URL)
  if (!description) throw new Error(`${DOCUMENT_URL} is not available`)
  const workspaces = root.dataset.session === undefined ? undefined : await workspacesOf(description)
  const workspace = showSession(workspaces)
  // Injected markup can't read the nonce from now on.
  document.querySelector('meta[property=csp-nonce]').remove()
  globalThis.Scalar.createApiReference(root, {
    content: prepare(description, workspaces !== undefined, workspace),
    customFetch: fetchAsReader,
    ...{ withDefaultFonts: false, telemetry: false, agent: { disabled: true }, mcp: { disabled: true } },
    ...{ hideClientButton: true, showDeveloperTools: 'never', documentDownloadType: 'none', theme: 'none' },
    ...{ defaultOpenAllTags: true, defaultOpenFirstTag: true, hideModels: false, persistAuth: false },
    hiddenClients: Object.fromEntries(HIDDEN_CLIENTS.map(name => [name, true])),
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    localization: {
      locale: document.documentElement.lang,
      // The sentence of some languages doesn't fit beside the title of its card.
      translations: { apiClient: { authSelector: { selectedType: '{type}' } } },
    },
    authentication: { preferredSecurityScheme: 'bearer' },
  })
  new MutationObserver(nameButtons).observe(root, { childList: true, subtree: true })
}

async function fetchJson(url) {
  const response = await fetch(url)
  return response.ok ? response.json() : undefined
}

async function workspacesOf({ paths }) {
  const found = Object.entries(paths).find(([, { get }]) => get?.operationId === WORKSPACES_OPERATION)
  return found && (await fetchJson(found[0]))?.data
}

/** Shows the selected workspace, or a link to sign in. Returns the slug of the workspace. */
function showSession(workspaces) {
  const session = document.getElementById('session')
  if (workspaces === undefined) {
    session.querySelector('a')?.removeAttribute('hidden')
    return undefined
  }
  if (workspaces.length === 0) return undefined
  const remembered = [localStorage.getItem(WORKSPACE_KEY), root.dataset.workspace]
  const current =
    remembered.map(key => workspaces.find(({ id }) => id === key)).find(found => found !== undefined) ?? workspaces[0]
  const select = session.querySelector('select')
  for (const { id, name } of workspaces) select.add(new Option(name, id, false, id === current.id))
  select.closest('label').hidden = false
  select.addEventListener('change', () => {
    localStorage.setItem(WORKSPACE_KEY, select.value)
    // Requests and code samples contain the workspace.
    location.reload()
  })
  return current.slug
}

/** Without a token, the browser sends the login cookie. An empty token would take precedence over it. */
function fetchAsReader(input, init) {
  const request = new Request(input, init)
  if (/^bearer\s*$/i.test(request.headers.get('authorization') ?? '')) request.headers.delete('authorization')
  return fetch(request)
}

/** The document of the API with short titles, this origin as the server, and the selected workspace. */
function prepare(description, isSignedIn, workspace) {
  for (const tag of description.tags) tag['x-displayName'] = sentenceCase([tag.name])
  for (const operations of Object.values(description.paths))
    for (const operation of Object.values(operations)) {
      operation.description = [operation.summary, operation.description].filter(Boolean).join('\n\n')
      operation.security = operation.security?.filter(scheme => !('cookie' in scheme))
      operation.summary = sentenceCase(operation.operationId.split(/(?=[A-Z])/))
    }
  const { parameters, securitySchemes } = description.components
  const { tenantId } = parameters
  // The browser sends the cookie by itself.
  delete securitySchemes.cookie
  if (isSignedIn) securitySchemes.bearer.description += `. ${texts.session}`
  if (workspace !== undefined) Object.assign(tenantId, { required: true, example: workspace })
  description.servers = [{ url: location.origin }]
  return description
}

/** `['create', 'Api', 'Key']` → `Create API key`. */
function sentenceCase(words) {
  const made = words.map(
    word => ACRONYMS.find(known => known.toLowerCase() === word.toLowerCase()) ?? word.toLowerCase(),
  )
  const text = made.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Scalar names these buttons only while a pointer is over them. */
function nameButtons() {
  for (const button of root.querySelectorAll('button.scalar-code-copy:not([aria-label])')) button.ariaLabel = texts.copy
}
