/** The two scripts of an embedded form: one for the embedding page, one inside the frame. */

import { readFile } from 'node:fs/promises'
import { once, rawRoute } from '@larder-dev/larder/kernel'

export const embedScripts = () => [
  script('embed', 'Embeds a form in another page.'),
  script('frame', 'Reports the height of a form to the embedding page.'),
]

function script(name: 'embed' | 'frame', summary: string) {
  const text = once(() => readFile(new URL(`./scripts/${name}.js`, import.meta.url), 'utf8'))
  return rawRoute({
    method: 'get',
    path: `/forms/${name}.js`,
    operationId: name === 'embed' ? 'getFormEmbedScript' : 'getFormFrameScript',
    allow: 'public',
    summary,
    docs: { replies: { 200: { 'text/javascript': null } } },
    async handle(_, response) {
      response
        .set({
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'public, max-age=3600',
          // Other sites load the script, which is the same for everyone.
          'cross-origin-resource-policy': 'cross-origin',
        })
        .send(await text())
    },
  })
}
