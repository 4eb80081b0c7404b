import test from 'ava'
import { renderMarkdown } from '../../../../modules/content/domain/markdown.ts'

test('renders headings, emphasis, lists, tables, code and links', t => {
  const html = renderMarkdown(
    '# Hi\n\n*a* **b** ~~c~~ [d](/e) <https://f.test>\n\n- g\n\n| h |\n|---|\n| i |\n\n```js\nj < 1\n```',
  )
  for (const part of [
    '<h1>Hi</h1>',
    '<em>a</em>',
    '<strong>b</strong>',
    '<s>c</s>',
    '<a href="/e">d</a>',
    '<li>g</li>',
    '<td>i</td>',
  ])
    t.true(html.includes(part), part)
  t.regex(html, /<code class="language-js">j &lt; 1/)
})

const HOSTILE = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.test/x.js></SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href=" &#106;avascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:x)',
  '![x](javascript:alert(1))',
  '<javascript:alert(1)>',
  '<svg onload=alert(1)><script>1</script></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<iframe srcdoc="<script>1</script>"></iframe>',
  '<object data=x></object><embed src=x>',
  '<form action=//evil.test><input name=password></form>',
  '<style>body{display:none}</style>',
  '<p style="position:fixed" onclick="x()">x</p>',
  '<base href="//evil.test"><meta http-equiv=refresh content="0;url=//evil.test"><link rel=stylesheet href=//evil.test>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<!--><img src=x onerror=alert(1)>-->',
  '<a href="//evil.test" target=_blank>x</a>',
  '```"><script>alert(1)</script>\nx\n```',
]

for (const [index, text] of HOSTILE.entries())
  test(`sanitizes hostile text ${index}: ${text.slice(0, 40).replaceAll('\t', ' ')}`, t => {
    const html = renderMarkdown(text)
    t.notRegex(html, /<(script|style|iframe|object|embed|form|input|svg|math|base|meta|link|noscript)/i)
    const tags = [...html.matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag)
    for (const tag of tags) {
      t.notRegex(tag, /\son\w+\s*=|style=|javascript:|vbscript:|data:|="\/\//i, html)
    }
  })

test('limits the depth of nested lists', t => {
  const nested = Array.from({ length: 200 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')
  t.regex(renderMarkdown(nested), /<li>x/)
})
