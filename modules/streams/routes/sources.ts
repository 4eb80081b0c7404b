import {
  common,
  etag,
  Nullable,
  named,
  reply,
  replyWithEtag,
  requireMatch,
  route,
  Type,
} from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { type Layout, LayoutBody, LayoutRecord, SourceBody, SourceRecord } from '../records/source.ts'
import type { StreamSources } from '../services/source-service.ts'

const SourceList = named(
  'StreamSourceList',
  Type.Object({ data: Type.Array(SourceRecord), next_cursor: Nullable(Type.String()) }),
)

const replyWith = replyWithEtag((layout: Layout) => layout.version)

export const sourceRoutes = ({ streamSources }: { readonly streamSources: StreamSources }) => [
  route({
    method: 'post',
    path: '/streams/:id/sources',
    operationId: 'putStreamSource',
    allow: 'streams.stream.update',
    summary: 'Adds a source or replaces the one with this source_id.',
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
    operationId: 'listStreamSources',
    allow: 'streams.stream.update',
    summary: 'Lists the sources of a stream, oldest first.',
    replies: { 200: SourceList },
    handle: async ({ params, tenantId }) => ({
      data: await streamSources.list(tenantId, params.id),
      next_cursor: null,
    }),
  }),
  route({
    method: 'delete',
    path: '/streams/:id/sources/:source_id',
    operationId: 'deleteStreamSource',
    allow: 'streams.stream.update',
    summary: 'Removes a source and its slot in the layout.',
    replies: { 204: null },
    problems: [common.invalid_state],
    handle: ({ params, tenantId }) => streamSources.remove(tenantId, params.id, params.source_id),
  }),
  route({
    method: 'post',
    path: '/streams/:id/layout',
    operationId: 'setStreamLayout',
    allow: 'streams.stream.update',
    summary: 'Replaces the layout. With If-Match, only if its version is unchanged.',
    body: LayoutBody,
    replies: { 200: LayoutRecord },
    problems: [common.invalid_state, common.precondition_failed],
    async handle({ params, body, tenantId, request }) {
      const check = ({ version }: Layout) => requireMatch(request.headers, etag(version))
      return replyWith(200, await streamSources.setLayout(tenantId, params.id, body, check))
    },
  }),
  route({
    method: 'get',
    path: '/streams/:id/layout',
    operationId: 'getStreamLayout',
    allow: 'streams.stream.update',
    summary: 'Returns the layout. Its version is 0 until one is set.',
    replies: { 200: LayoutRecord },
    handle: async ({ params, tenantId }) => replyWith(200, await streamSources.layout(tenantId, params.id)),
  }),
]
