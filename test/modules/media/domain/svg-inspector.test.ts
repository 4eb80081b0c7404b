import test from 'ava'
import { createSvgInspector, isSafeCss } from '../../../../modules/media/domain/svg-inspector.ts'

const inspect = (svg: string) => {
  const inspector = createSvgInspector()
  return inspector.feed(svg) ?? inspector.finish()
}
const SVG = 'xmlns="http://www.w3.org/2000/svg"'
const drawing = (body: string, attributes = '') =>
  `<svg ${SVG} xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${body}</svg>`

test('accepts a drawing of an editor', t => {
  const svg = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
    <!-- Created with an editor -->
    <svg ${SVG} xmlns:svg="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
      xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
      xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"
      width="10mm" height="10mm" viewBox="0 0 10 10" version="1.1" sodipodi:docname="a.svg" xml:space="preserve">
      <sodipodi:namedview id="base" inkscape:zoom="1"/>
      <metadata><rdf:RDF><rdf:li rdf:resource="https://example.com/"/><dc:title>On = none</dc:title></rdf:RDF></metadata>
      <defs>
        <linearGradient id="g" gradientTransform="rotate(90)"><stop offset="0" stop-color="rgb(1 2 3)"/></linearGradient>
        <style><![CDATA[@media print { .a > .b { fill: url(#g); transform: rotate(3deg) } }]]></style>
      </defs>
      <svg:g inkscape:label="Layer" style="fill:url( '#g' );stroke:#000" clip-path="url(#c)" data-name="(a)" aria-label="f(x)">
        <path class="confirmation" d="M0 0L1 1"><animate attributeName="d" values="M0 0;M1 1" dur="1s"/></path>
        <image xlink:href="data:image/png;base64,AAAA" width="1" height="1"/><use href="#a"/><a href="#b"><text>scripts</text></a>
      </svg:g>
    </svg>`
  t.is(inspect(svg), undefined)
  t.is(inspect('<svg viewBox="0 0 1 1"><title>No namespace</title></svg>'), undefined)
})

const DRAWINGS: Record<string, string> = {
  Inkscape: `<?xml version="1.0"?>${drawing(
    `<sodipodi:namedview id="base" pagecolor="#ffffff" bordercolor="#666666" inkscape:document-units="mm" showgrid="false"/>
     <inkscape:path-effect effect="spiro" id="p" is_visible="true"/><g inkscape:groupmode="layer" nodetypes="cc"/>`,
    'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"',
  )}`,
  Illustrator: `<?xml version="1.0" encoding="utf-8"?><!-- Generator: Adobe Illustrator -->
    <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
      <!ENTITY ns_extend "http://ns.adobe.com/Extensibility/1.0/">
      <!ENTITY ns_svg 'http://www.w3.org/2000/svg'>
      <!ELEMENT a:stop EMPTY> <!ATTLIST a:stop offset CDATA #REQUIRED>
    ]>
    <svg version="1.1" xmlns="&ns_svg;" xmlns:x="&ns_extend;" x="0px" xml:space="preserve">
      <metadata><?xpacket begin='' id='W5M0'?><x:sfw><x:slices/></x:sfw><?xpacket end='w'?></metadata><path d="M0 0"/></svg>`,
  matplotlib: `<?xml version="1.0" encoding="utf-8" standalone="no"?>
    <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"
      "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
    ${drawing('<defs><style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style></defs>')}`,
  Figma: drawing(
    '<g data-figma-bg-blur-radius="4" figma:type="frame"/>',
    'xmlns:figma="http://www.figma.com/figma/ns"',
  ),
  Sketch: drawing('<g sketch:type="MSPage" id="Page-1"/>', 'xmlns:sketch="http://www.bohemiancoding.com/sketch/ns"'),
  'draw.io': drawing('<g/>', 'host="app.diagrams.net" content="&lt;mxfile host=&quot;x&quot;&gt;&lt;/mxfile&gt;"'),
  'SVG.js': drawing('<svgjs:data/>', 'xmlns:svgjs="http://svgjs.dev/svgjs" svgjs:version="3"'),
  'an embedded font': drawing(
    `<style>@font-face{font-family:"A";src:url("data:font/woff2;charset=utf-8;base64,d09GMgABAAAA") format("woff2")}</style>`,
  ),
}
for (const [editor, svg] of Object.entries(DRAWINGS))
  test(`accepts an SVG of ${editor}`, t => {
    t.is(inspect(svg), undefined)
  })

const ACTIVE: Record<string, string> = {
  script: drawing('<script>alert(1)</script>'),
  'an upper-case script': drawing('<SCRIPT href="x"/>'),
  'a script with an empty body': drawing('<script href="https://evil.test/x.js"/>'),
  'a script under another prefix': drawing('<svg:script/>', 'xmlns:svg="http://www.w3.org/2000/svg"'),
  'a script under a prefix with a dot': drawing('<a.b:script/>', 'xmlns:a.b="http://www.w3.org/2000/svg"'),
  'an XHTML script': drawing('<x:script/>', 'xmlns:x="http://www.w3.org/1999/xhtml"'),
  'an element of an unknown namespace without a prefix': drawing('<script xmlns="https://example.com/"/>'),
  'a script in an element of an unknown namespace': drawing('<x:y><script/></x:y>', 'xmlns:x="https://example.com/"'),
  'an event handler on an element of an unknown namespace': drawing('<x:y onclick="x()"/>', 'xmlns:x="urn:x"'),
  'an external style on an element of an unknown namespace': drawing(
    '<x:y style="background:url(//evil.test)"/>',
    'xmlns:x="urn:x"',
  ),
  MathML: drawing('<m:math/>', 'xmlns:m="http://www.w3.org/1998/Math/MathML"'),
  'an XML event': drawing('<g ev:event="click"/>', 'xmlns:ev="http://www.w3.org/2001/xml-events"'),
  'an unknown attribute with an external resource': drawing('<g new-fill="url(https://evil.test/)"/>'),
  'an unknown attribute with an escape': drawing('<g new-fill="u\\72l(https://evil.test/)"/>'),
  'a source': drawing('<g src="https://evil.test/"/>'),
  'a data URL with SVG in a style': drawing('<style>a{fill:url(data:image/svg+xml;base64,AAAA)}</style>'),
  'an event handler': drawing('<a onclick="x()"/>'),
  'an event handler after a line break': drawing('<a\nOnLoad = "x()"/>'),
  'an event handler of the root': `<svg ${SVG} onload="alert(1)"/>`,
  'a javascript URL': drawing('<a href="javascript:x()"/>'),
  'a javascript URL with a line break': drawing('<a href="java\nscript:x()"/>'),
  'a javascript URL with a character reference': drawing('<a href="&#106;avascript:x()"/>'),
  'a javascript URL with a padded character reference': drawing('<a href="&#x000000006A;avascript:x()"/>'),
  'a javascript URL in XLink': drawing('<a xlink:href="javascript:x()"/>'),
  'a data URL with HTML': drawing('<a href="data:text/html,x"/>'),
  'a data URL with SVG': drawing('<use href="data:image/svg+xml;base64,x"/>'),
  'a link': drawing('<a href="https://evil.test/"/>'),
  'a set of href': drawing('<a><set attributeName="href" to="https://evil.test/"/></a>'),
  'an animation of xlink:href': drawing('<a><animate attributeName="xlink:href" values="javascript:x()"/></a>'),
  'an animation of an event handler': drawing('<set attributeName="onload" to="x()"/>'),
  'an animation with an external paint': drawing('<set attributeName="fill" to="url(https://evil.test/#a)"/>'),
  'xml:base': drawing('<use href="#a"/>', 'xml:base="https://evil.test/"'),
  'foreign content': drawing('<foreignObject><p/></foreignObject>'),
  'a frame': drawing('<iframe/>'),
  audio: drawing('<audio src="https://evil.test/a.mp3"/>'),
  'a handler': drawing('<handler type="application/ecmascript"/>'),
  'an external image': drawing('<image href="https://evil.test/x.png"/>'),
  'an external image without a scheme': drawing('<image href="//evil.test/x.png"/>'),
  'an external use': drawing('<use href="x.svg#a"/>'),
  'an external paint': drawing('<rect fill="url(https://evil.test/x.svg#a)"/>'),
  'an external paint with an escape': drawing('<rect fill="\\75rl(https://evil.test/x.svg#a)"/>'),
  'an external style': drawing('<rect style="background:url(//evil.test)"/>'),
  'an import': drawing('<style>@import "https://evil.test/x.css";</style>'),
  'an import with an escape': drawing('<style>@im\\port "https://evil.test/x.css";</style>'),
  'an import in CDATA': drawing('<style><![CDATA[@imp]]><![CDATA[ort "x"]]></style>'),
  'an image set': drawing('<style>a { background: image-set("https://evil.test/x" 1x) }</style>'),
  'a stylesheet instruction': `<?xml-stylesheet href="x"?>${drawing('')}`,
  'an instruction with markup': `<?x ><script/>?>${drawing('')}`,
  'an external entity': `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${drawing('<text>&x;</text>')}`,
  'a parameter entity': `<!DOCTYPE svg [<!ENTITY % x "y"> %x;]>${drawing('')}`,
  'an entity of entities': `<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>${drawing('')}`,
  'an entity with markup': `<!DOCTYPE svg [<!ENTITY x "<script/>">]>${drawing('')}`,
  'an entity that replaces a predefined one': `<!DOCTYPE svg [<!ENTITY quot "#">]>${drawing('<g fill="url(&quot;https://evil.test/&quot;)"/>')}`,
  'an entity of HTML': `<!DOCTYPE svg [<!ENTITY Tab "#">]>${drawing('<a href="&Tab;javascript:x()"/>')}`,
  'an entity in an event handler': `<!DOCTYPE svg [<!ENTITY x "alert(1)">]>${drawing('<a onclick="&x;"/>')}`,
  'an entity that names an active namespace': `<!DOCTYPE svg [<!ENTITY x "http://www.w3.org/1999/xhtml">]>${drawing('<x:script/>', 'xmlns:x="&x;"')}`,
  'a default attribute': `<!DOCTYPE svg SYSTEM ">" [<!ATTLIST svg onload CDATA "alert(1)">]>${drawing('')}`,
  'an encoding that hides markup': `<?xml version="1.0" encoding="ISO-2022-JP"?>${drawing('')}`,
}
for (const [name, svg] of Object.entries(ACTIVE))
  test(`rejects an SVG with ${name}`, t => {
    t.is(inspect(svg)?.code, 'active_content')
  })

test('reports the line and the name of active content', t => {
  t.deepEqual(inspect(`<svg ${SVG}>\n<a onclick="x()"/></svg>`), {
    code: 'active_content',
    reason: 'Line 2: the attribute `onclick` is not allowed here.',
  })
})

test('rejects an SVG that is not well-formed', t => {
  for (const svg of ['<svg>', '<svg><script', '<svg><g></svg>', '<svg/>x', '<svg>&undefined;</svg>', '<x:svg/>', ''])
    t.is(inspect(svg)?.code, 'image_unreadable', svg)
})

test('limits nesting and styles', t => {
  t.is(
    inspect(
      '<g>'
        .repeat(255)
        .replace('<g>', '<svg>')
        .padEnd(3 * 255 + 2) +
        '</g>'.repeat(254) +
        '</svg>',
    ),
    undefined,
  )
  t.is(inspect(`<svg>${'<g>'.repeat(300)}`)?.code, 'image_too_large')
  t.is(inspect(`<svg><style>${'a'.repeat(2 ** 20 + 1)}</style></svg>`)?.code, 'image_too_large')
})

test('inspects large files in time that grows with their size', t => {
  const started = process.cpuUsage()
  for (const unit of ['<g/>', '&lt;', 'a', '<g id="a" x="rgb(rgb(rgb("/>', '<!-- - -->', ']]&gt;'])
    inspect(`<svg>${unit.repeat(2 ** 19 / unit.length)}</svg>`)
  for (const subset of [' ', '<!ENTITY a ', '<!-- '])
    inspect(`<!DOCTYPE svg [<!ENTITY ${subset.repeat(2 ** 17)}%]><svg/>`)
  for (const unit of ['a', '(', 'rgb(', '-', '@media', 'url(#', "url('#"]) isSafeCss(unit.repeat(2 ** 18 / unit.length))
  const { user, system } = process.cpuUsage(started)
  t.true(user + system < 5_000_000, `${(user + system) / 1e6} s of CPU`)
})

test('accepts CSS without external resources only', t => {
  for (const css of ['fill:url(#a)', 'fill:url("#a")', 'a{transform:rotate(1deg)}', '@media (min-width:1px){}', ''])
    t.true(isSafeCss(css), css)
  for (const css of ['url(a)', 'URL("//a")', 'url( "#a" b)', 'expression(1)', '@import"a"', '@IMPORT url(#a)', 'a\\b'])
    t.false(isSafeCss(css), css)
})
