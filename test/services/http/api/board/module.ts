/** A module that mounts an Express application. */

import { defineModule } from '@larder-dev/larder/kernel'
import express, { type Request, type Response } from 'express'
import type {} from '../../../../../services/http/ports.ts'

export default defineModule({
  name: 'board',
  needs: ['clock'],
  express: ({ clock }) => {
    const app = express()
    app.get('/jobs', ({ caller }: Request, response: Response) => {
      response.json({ now: clock.now() > 0, user: caller?.userId ?? null })
    })
    return app
  },
})
