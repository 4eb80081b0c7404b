/** Markdown as HTML that nothing can hide in. */
import { type Bounds, MIB, OverBounds, runWithLimits } from 'larder/kernel'
import type { IOptions } from 'sanitize-html'
import { problems } from '../problems.ts'

/** Milliseconds: a real text of the greatest length takes a tenth of it. Nothing else is answered meanwhile. */
const RENDER_LIMITS = { size: MIB, time: 500 }

/** Prose and tables; nothing that runs, loads a frame, asks for a password or changes how the page around it looks. */
const SANITIZE_OPTIONS: IOptions = {
  allowedTags: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'span', 'br', 'hr', 'blockquote', 'pre', 'code', 'kbd', 'samp'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'strong', 'em', 'b', 'i', 's', 'u', 'del', 'ins', 'mark', 'small', 'sub'],
    ...['sup', 'abbr', 'q', 'cite', 'a', 'img', 'figure', 'figcaption', 'details', 'summary'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'title'],
    img: ['src', 'alt', 'title', 'width', 'height', 'loading'],
    abbr: ['title'],
    ol: ['start'],
    details: ['open'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
  },
  allowedClasses: { code: [/^language-[\w+#-]{1,30}$/] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 100,
}

let renderer: Promise<(text: string) => string> | undefined

/** Loaded at the first page: most processes start without one. */
async function load(): Promise<(text: string) => string> {
  const [{ default: MarkdownIt }, { default: sanitize }] = await Promise.all([
    import('markdown-it'),
    import('sanitize-html'),
  ])
  const markdown = new MarkdownIt({ html: true, linkify: true, maxNesting: 50 } as object)
  // Only what says its scheme becomes a link by itself: `readme.md` is a file, not a country's host.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
  return text => sanitize(markdown.render(text), SANITIZE_OPTIONS)
}

/** CommonMark, tables and strikethrough → HTML. Throws problem `body_too_costly` after 500 ms or over 1 MiB. */
export async function renderMarkdown(text: string, bounds: Bounds = RENDER_LIMITS): Promise<string> {
  renderer ??= load()
  const render = await renderer
  try {
    return runWithLimits(bounds, () => render(text))
  } catch (error) {
    // Deep nesting may end the stack before it ends the second.
    if (error instanceof OverBounds || error instanceof RangeError) throw problems.body_too_costly()
    throw error
  }
}
