import { common, type Deps, etag, reply, requireMatch, route } from 'larder/kernel'
import type { Layout } from '../ports.ts'
import { problems } from '../problems.ts'
import { LayoutBody, LayoutRecord, SourceBody, SourceRecord, snakeList } from './schemas.ts'

const tagged = (layout: Layout) => reply(200, layout, { etag: etag(layout.version) })

export const sourceRoutes = ({ streamSources }: Deps<'streamSources'>) => [
  route({
    method: 'post',
    path: '/streams/:id/sources',
    allow: 'streams.stream.update',
    summary: 'Adds a source, or replaces the one of this source_id.',
    body: SourceBody,
    replies: { 201: SourceRecord, 200: SourceRecord },
    problems: [common.invalid_state, problems.too_many_sources],
    async handle({ params: { id }, body, tenantId }) {
      const { source, added } = await streamSources.put(tenantId, id, body)
      if (!added) return reply(200, source)
      return reply(201, source, { location: `/v1/streams/${id}/sources/${source.source_id}` })
    },
  }),
  route({
    method: 'get',
    path: '/streams/:id/sources',
    allow: 'streams.stream.update',
    summary: 'Sources of a stream, oldest first; at most 16.',
    replies: { 200: snakeList(SourceRecord) },
    handle: async ({ params, tenantId }) => ({
      data: await streamSources.list(tenantId, params.id),
      next_cursor: null,
    }),
  }),
  route({
    method: 'delete',
    path: '/streams/:id/sources/:source_id',
    allow: 'streams.stream.update',
    summary: 'Removes a source, and its slot from the layout.',
    replies: { 204: null },
    problems: [common.invalid_state],
    handle: ({ params, tenantId }) => streamSources.remove(tenantId, params.id, params.source_id),
  }),
  route({
    method: 'post',
    path: '/streams/:id/layout',
    allow: 'streams.stream.update',
    summary: 'Lays out the sources. With If-Match, only on the version that you have seen.',
    body: LayoutBody,
    replies: { 200: LayoutRecord },
    problems: [common.invalid_state, common.precondition_failed],
    async handle({ params, body, tenantId, request }) {
      const check = ({ version }: Layout) => requireMatch(request.headers, etag(version))
      return tagged(await streamSources.setLayout(tenantId, params.id, body, check))
    },
  }),
  route({
    method: 'get',
    path: '/streams/:id/layout',
    allow: 'streams.stream.update',
    summary: 'The layout; version 0 until somebody sets one.',
    replies: { 200: LayoutRecord },
    handle: async ({ params, tenantId }) => tagged(await streamSources.layout(tenantId, params.id)),
  }),
]
