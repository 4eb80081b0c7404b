/** A fake of the module that stores files. It has two ready items. */

import { defineModule, invalidField, wording } from '../../../../kernel/index.ts'

const READY = ['med_a', 'med_b']

export default defineModule({
  name: 'files',
  provides: {
    mediaItems: () => ({
      async ready(_tenantId: string, ids: readonly string[]) {
        const unknown = ids.findIndex(id => !READY.includes(id))
        if (unknown >= 0) throw invalidField(`/attachments/${unknown}`, 'unknown_media', wording('is not there'))
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
