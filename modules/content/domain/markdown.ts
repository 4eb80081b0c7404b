/** Renders Markdown to sanitized HTML. */
import MarkdownIt from 'markdown-it'
import sanitize, { type IOptions } from 'sanitize-html'

/** Allows prose and tables, and nothing that runs scripts, loads frames, shows inputs or styles the page around it. */
const SANITIZE_OPTIONS: IOptions = {
  allowedTags: [
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'p',
    'div',
    'span',
    'br',
    'hr',
    'blockquote',
    'pre',
    'code',
    'kbd',
    'samp',
    'ul',
    'ol',
    'li',
    'dl',
    'dt',
    'dd',
    'strong',
    'em',
    'b',
    'i',
    's',
    'u',
    'del',
    'ins',
    'mark',
    'small',
    'sub',
    'sup',
    'abbr',
    'q',
    'cite',
    'a',
    'img',
    'figure',
    'figcaption',
    'details',
    'summary',
    'table',
    'caption',
    'thead',
    'tbody',
    'tfoot',
    'tr',
    'th',
    'td',
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

const markdown = new MarkdownIt({ html: true, linkify: true, maxNesting: 50 } as object)
// Links text with a scheme only: `readme.md` is a file, not a host.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })

/** CommonMark, tables and strikethrough → HTML. The cost can be quadratic in the length of the text. */
export const renderMarkdown = (text: string): string => sanitize(markdown.render(text), SANITIZE_OPTIONS)
