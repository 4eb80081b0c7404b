/** Handlers with the types of Express, which the contract doesn't name: no error here. */
import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import { type Deps, defineModule, type RawRequest, rawRoute } from '../../kernel/index.ts'
import type {} from '../../services/http/ports.ts'
import type {} from './ports.ts'

const send = async (request: Request, response: Response) => void response.status(200).send(request.params.id)
const only: RequestHandler = (request, response) => {
  response.json({ caller: request.caller?.userId, tenant: request.tenantId, ip: request.requestContext.ip })
}
const idOf = ({ params }: RawRequest): string => String(params.id)

const rawRoutes = (_: Deps<'greeter'>) => [
  rawRoute({ method: 'get', path: '/v1/a/:id', allow: 'public', docs: { replies: { 200: null } }, handle: send }),
  rawRoute({
    method: 'post',
    path: '/v1/b/:id',
    allow: 'public',
    docs: { replies: { 201: null } },
    async handle(request, response, { readBody }) {
      if (!request.is('application/json') || request.query.dry !== undefined) return response.redirect(303, '/')
      const body = await readBody(1024)
      response
        .status(201)
        .set({ 'cache-control': 'no-store' })
        .location(`/v1/a/${idOf(request)}`)
        .json(body.length)
    },
  }),
]
export default [
  defineModule({ name: 'visits', needs: ['greeter'], rawRoutes, express: () => Router().use('/a', only) }),
  defineModule({ name: 'calls', needs: [], express: () => express().use(only) }),
  defineModule({ name: 'rooms', needs: [], express: () => only }),
]
