/** The two small scripts of an embedded form: one for the page around it, one inside the frame. */

import { readFile } from 'node:fs/promises'
import { once, rawRoute } from 'larder/kernel'

export const embedRoutes = () => [
  script('embed', 'Shows a form inside a page elsewhere.'),
  script('frame', 'Tells the page around a form how tall it is.'),
]

function script(name: 'embed' | 'frame', summary: string) {
  const text = once(() => readFile(new URL(`./assets/${name}.js`, import.meta.url), 'utf8'))
  return rawRoute({
    method: 'get',
    path: `/forms/${name}.js`,
    allow: 'public',
    summary,
    docs: { replies: { 200: { 'text/javascript': null } } },
    async handle(_, response) {
      response
        .set({
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'public, max-age=3600',
          // Other sites load it: it is the same for everybody.
          'cross-origin-resource-policy': 'cross-origin',
        })
        .send(await text())
    },
  })
}
