/** A fake of the module that stores files. It has two ready items. */

import { common } from '../../../../kernel/base/problem.ts'
import { defineModule } from '../../../../kernel/index.ts'

const READY = ['med_a', 'med_b']

export default defineModule({
  name: 'files',
  provides: {
    mediaItems: () => ({
      async ready(_tenantId: string, ids: readonly string[]) {
        const unknown = ids.findIndex(id => !READY.includes(id))
        if (unknown >= 0)
          throw common.validation_failed(
            {},
            { errors: [{ pointer: `/attachments/${unknown}`, code: 'unknown_media', detail: 'is not there' }] },
          )
        return ids.map(id => ({
          id,
          fileName: `${id}.png`,
          mimeType: 'image/png',
          size: 7,
          secret: 'not for messages',
        }))
      },
      downloadUrl: async (tenantId: string, id: string) => ({
        url: `https://files.test/${tenantId}/${id}`,
        expiresAt: '2030-01-01T00:00:00.000Z',
      }),
    }),
  },
})
