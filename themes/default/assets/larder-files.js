// @ts-check
/** The page `/files`: uploads several files at once, with progress, and previews images and PDF files. */

/** Uploads at the same time. */
const MAX_PARALLEL = 3
/** Between two reads of the list while files are being checked. */
const REFRESH_MS = 2000
const MAX_REFRESHES = 30

/** @param {Document} page */
export function filesPage(page) {
  const form = /** @type {HTMLFormElement | null} */ (page.querySelector('#upload'))
  const refresh = createRefresh(page)
  if (form) enableUploads(form, refresh)
  enablePreviews(page)
  refresh.whileBusy()
}

/** @param {Document} page */
function createRefresh(page) {
  let left = MAX_REFRESHES
  const read = async () => {
    const response = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' }).catch(
      () => null,
    )
    if (!response?.ok) return
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('#files')
    const list = page.querySelector('#files')
    // Focus in the list would be lost.
    if (!fresh || !list || list.contains(page.activeElement)) return
    list.replaceChildren(...fresh.childNodes)
    page.dispatchEvent(new Event('larder:content'))
  }
  const whileBusy = () => {
    if (left-- <= 0 || !page.querySelector('#files [data-busy]')) return
    setTimeout(async () => {
      await read()
      whileBusy()
    }, REFRESH_MS)
  }
  return {
    whileBusy,
    async now() {
      await read()
      left = MAX_REFRESHES
      whileBusy()
    },
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {{ now: () => Promise<void> }} refresh
 */
function enableUploads(form, refresh) {
  const input = /** @type {HTMLInputElement} */ (form.querySelector('input[type=file]'))
  const list = /** @type {HTMLElement} */ (form.querySelector('[data-uploads]'))
  const announce = /** @type {HTMLElement} */ (form.querySelector('[data-announce]'))
  const texts = textsOf(form)
  const maxBytes = Number(document.querySelector('#files')?.getAttribute('data-max-bytes'))
  /** @type {(() => Promise<void>)[]} */
  const queue = []
  let running = 0

  const next = async () => {
    const upload = running < MAX_PARALLEL ? queue.shift() : undefined
    if (!upload) return
    running++
    await upload()
    running--
    if (running === 0 && queue.length === 0) {
      await refresh.now()
      if (list.querySelector('.error') === null) announce.textContent = texts.get('done') ?? ''
    } else next()
  }
  /** @param {Iterable<File>} files */
  const add = files => {
    announce.textContent = ''
    for (const file of files) {
      const row = createRow(form, list, texts, file.name)
      if (file.size > maxBytes) row.fail(texts.get('too_large') ?? '')
      else queue.push(() => send(form, file, row, texts))
    }
    for (let free = running; free < MAX_PARALLEL; free++) next()
  }

  input.multiple = true
  form.querySelector('[data-drop-hint]')?.removeAttribute('hidden')
  form.querySelector('button:not([type])')?.setAttribute('hidden', '')
  input.addEventListener('change', () => {
    add([...(input.files ?? [])])
    input.value = ''
  })
  let depth = 0
  const mark = (/** @type {number} */ change) => {
    depth = Math.max(0, depth + change)
    form.classList.toggle('dropping', depth > 0)
  }
  form.addEventListener('dragenter', () => mark(1))
  form.addEventListener('dragleave', () => mark(-1))
  form.addEventListener('dragover', event => event.preventDefault())
  form.addEventListener('drop', event => {
    event.preventDefault()
    mark(-depth)
    add(event.dataTransfer?.files ?? [])
  })
  addEventListener('beforeunload', event => {
    if (running > 0) event.preventDefault()
  })
}

/** Texts in the language of the page. @param {HTMLElement} form @returns {Map<string, string>} */
function textsOf(form) {
  const words = /** @type {HTMLTemplateElement | null} */ (form.querySelector('template[data-words]'))
  const terms = [...(words?.content.querySelectorAll('dt') ?? [])]
  return new Map(terms.map(term => [term.textContent ?? '', term.nextElementSibling?.textContent ?? '']))
}

/** @typedef {{ progress: (share: number) => void, state: (text: string) => void, fail: (text: string) => void, remove: () => void }} Row */

/**
 * @param {HTMLFormElement} form @param {HTMLElement} list @param {Map<string, string>} texts @param {string} name
 * @returns {Row}
 */
function createRow(form, list, texts, name) {
  const template = /** @type {HTMLTemplateElement} */ (form.querySelector('template[data-upload]'))
  const row = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true))
  const at = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (row.querySelector(selector))
  const [state, bar, dismiss] = [at('[data-state]'), at('progress'), at('[data-dismiss]')]
  at('[data-name]').textContent = name
  state.textContent = texts.get('waiting') ?? ''
  bar.setAttribute('aria-label', name)
  list.append(row)
  list.hidden = false
  const remove = () => {
    row.remove()
    list.hidden = list.childElementCount === 0
  }
  dismiss.addEventListener('click', () => {
    remove()
    form.querySelector('input')?.focus()
  })
  return {
    remove,
    progress: share => bar.setAttribute('value', String(share)),
    state: text => {
      state.textContent = text
    },
    fail(text) {
      state.textContent = text
      state.className = 'error'
      state.setAttribute('role', 'alert')
      bar.remove()
      dismiss.hidden = false
    },
  }
}

/**
 * `fetch` has no progress of uploads.
 * @param {HTMLFormElement} form @param {File} file @param {Row} row @param {Map<string, string>} texts
 * @returns {Promise<void>}
 */
function send(form, file, row, texts) {
  const request = new XMLHttpRequest()
  request.responseType = 'document'
  request.upload.onprogress = ({ loaded, total }) => row.progress(total > 0 ? loaded / total : 0)
  request.upload.onload = () => row.state(texts.get('checking') ?? '')
  row.state(texts.get('sending') ?? '')
  return new Promise(resolve => {
    request.onloadend = () => {
      if (request.status >= 200 && request.status < 300) row.remove()
      // The error page, in the language of the reader.
      else row.fail(request.responseXML?.querySelector('[data-detail]')?.textContent ?? texts.get('failed') ?? '')
      resolve()
    }
    const body = new FormData()
    body.append('folder', /** @type {HTMLInputElement} */ (form.elements.namedItem('folder')).value)
    body.append('file', file)
    request.open('POST', form.action)
    request.setRequestHeader('accept', 'text/html')
    request.send(body)
  })
}

/** @param {Document} page */
function enablePreviews(page) {
  const dialog = /** @type {HTMLDialogElement} */ (page.querySelector('dialog.preview'))
  const image = /** @type {HTMLImageElement} */ (dialog.querySelector('img'))
  const heading = /** @type {HTMLElement} */ (dialog.querySelector('h2'))
  page.addEventListener('click', event => {
    if (event.target === dialog) dialog.close()
    const link = event.target instanceof Element ? event.target.closest('a[data-preview]') : null
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (link.dataset.preview === 'pdf') return showPdf(link.href)
    const name = link.dataset.name ?? ''
    heading.textContent = name
    image.alt = name
    image.src = link.href
    dialog.showModal()
  })
  dialog.addEventListener('close', () => image.removeAttribute('src'))
}

/** Downloads are attachments, which browsers save. A copy in memory opens in the browser. @param {string} address */
async function showPdf(address) {
  // After `await`, browsers would block the window.
  const tab = open('', '_blank')
  try {
    const response = await fetch(address)
    if (!response.ok) throw new Error(`${response.status}`)
    const pdf = new Blob([await response.arrayBuffer()], { type: 'application/pdf' })
    const url = URL.createObjectURL(pdf)
    if (tab) tab.location.href = url
  } catch {
    tab?.close()
    location.href = address
  }
}
