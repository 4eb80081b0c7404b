/** Why routes reach less than half of the raw server's rate. */
/** A route, such as `GET /v1/forms/:id`, and the statements of a request. */
export interface Noted {
  readonly key: string
  readonly statements: number
}
export interface Note {
  readonly reason: string
  /** The routes that it names. */
  readonly routes?: readonly string[]
  matches(route: Noted): boolean
}

const explains = ({ reason, routes }: { reason: string; routes: readonly string[] }): Note => ({
  ...{ reason, routes },
  matches: ({ key }) => routes.includes(key),
})

/** The first note that matches a route explains it. */
export const NOTES: readonly Note[] = [
  ...[
    {
      reason: 'Argon2id hashes or verifies a password, which takes tens of milliseconds of a core by design:',
      routes: [
        'POST /v1/auth/register',
        'POST /v1/auth/login',
        'POST /v1/auth/password/reset',
        'POST /v1/auth/password/change',
        'POST /sign-in',
        'POST /sign-up',
        'POST /reset-password',
        'POST /account/password',
        'POST /account/email',
        'POST /account/data',
        'POST /v1/auth/email/change',
        'POST /v1/auth/me/delete',
      ],
    },
    {
      reason:
        'The upload is written to disk, checked by its content and re-encoded, and its state is stored at each step:',
      routes: ['POST /v1/media', 'POST /files/upload', 'POST /v1/media/process', 'PUT /v1/media/uploads/:id'],
    },
    {
      reason:
        'A worker thread renders the email. The quota is committed before, so that no connection is held meanwhile; then suppressions are read and the message is stored:',
      routes: [
        'POST /v1/communications/messages',
        'POST /v1/communications/templates/:key/test',
        'POST /v1/communications/templates/:key/preview',
        'GET /v1/communications/templates/:key/preview',
        'PUT /v1/communications/templates/:key',
      ],
    },
    {
      reason: 'The file is opened and streamed from disk:',
      routes: ['GET /v1/media/files/:id', 'GET /media/:id/:variant'],
    },
    {
      reason:
        'The data of a person is collected from every module that keeps some, one export at a time so that exports never take all connections:',
      routes: ['GET /v1/auth/me/export'],
    },
    {
      reason: 'All pending events and jobs are counted, which an operator does now and then:',
      routes: ['GET /v1/platform/queue', 'GET /metrics'],
    },
    {
      reason:
        'The overview is computed from all modules, or the recipe is read and checked, for each request of an operator:',
      routes: [
        'GET /v1/platform',
        'GET /v1/platform/modules',
        'GET /v1/platform/modules/:key',
        'GET /v1/platform/resources',
        'GET /v1/platform/settings',
        'GET /v1/platform/recipe',
        'GET /v1/platform/recipe/file',
        'GET /v1/platform/logs',
        'GET /v1/platform/job-types',
        'GET /v1/webhooks/event-types',
      ],
    },
    {
      reason: 'The stored message is rendered again by a worker thread:',
      routes: ['GET /v1/communications/messages/:id/content'],
    },
    {
      reason: 'The upload is stored row by row, and a job is enqueued:',
      routes: ['POST /v1/data/courses/imports', 'POST /v1/data/subjects/imports'],
    },
    {
      reason:
        'Limits of the plan or a balance are checked under a lock before the write, and entries are written for audit:',
      routes: [
        'POST /v1/billing/checkout',
        'POST /v1/billing/subscription/cancel',
        'POST /v1/billing/subscription/resume',
        'POST /v1/billing/credits',
        'POST /v1/billing/credits/consume',
        'POST /v1/billing/dev/advance',
      ],
    },
    {
      reason:
        'Access changes are checked against the rights of the caller and recorded in the audit log, in several steps:',
      routes: [
        'POST /v1/identity/tenants',
        'DELETE /v1/identity/tenants/:id',
        'PATCH /v1/identity/members/:id',
        'DELETE /v1/identity/members/:id',
        'POST /v1/identity/members/invite',
        'POST /v1/identity/invitations/:id/resend',
        'POST /v1/identity/invitations/accept',
        'POST /invitations/accept',
        'POST /account/workspaces/new',
        'POST /v1/auth/verify-email',
        'POST /verify-email',
        'POST /v1/auth/claim',
      ],
    },
    {
      reason: 'The change is validated against all flags of the tenant, which are read under a lock:',
      routes: [
        'POST /v1/features',
        'PATCH /v1/features/:key',
        'DELETE /v1/features/:key',
        'PUT /v1/features/:key/override',
      ],
    },
    {
      reason: 'The change waits for a lock of the stream, so that its sources, layout and sequence number agree:',
      routes: [
        'POST /v1/streams/:id/sources',
        'DELETE /v1/streams/:id/sources/:source_id',
        'POST /v1/streams/:id/layout',
      ],
    },
    {
      reason: 'The tenant is found by a first read, because the media edge names only the stream:',
      routes: ['POST /v1/media/edge/events', 'POST /v1/media/edge/auth'],
    },
    {
      reason: 'The upload is reserved under the lock of its quota, and expires by a job:',
      routes: ['POST /v1/media/upload-intent'],
    },
    {
      reason:
        'The conversation is read under its lock before the change and again after it, for the event and the sockets, and the new participant for the response:',
      routes: ['POST /v1/messaging/conversations/:id/participants'],
    },
    {
      reason:
        'The list is compiled to SQL for each request from its filters and the rights of the caller, and an expansion is a subquery for each row:',
      routes: ['GET /v1/data/courses', 'GET /v1/data/subjects', 'GET /v1/data/courses/aggregate'],
    },
    {
      reason:
        'The user is read first, with the verification of the caller; then rights, keys and workspace together, and the plan after the workspace:',
      routes: ['GET /v1/me', 'GET /v1/auth/me'],
    },
    {
      reason: 'The row is read under its lock before the change, so that its former values are known:',
      routes: [
        'PATCH /v1/data/courses/:id',
        'PATCH /v1/data/subjects/:id',
        'PUT /v1/data/courses',
        'PUT /v1/data/subjects',
        'POST /v1/data/courses/batch',
        'POST /v1/data/subjects/:id/history/:revision/restore',
        'PATCH /v1/content/pages/:id',
        'POST /v1/content/pages/:id/versions/:version/restore',
      ],
    },
  ].map(explains),
  {
    reason:
      'The page or asset passes through Express, its template and the layout, and many pages read several tables:',
    matches: ({ key }) => !key.includes(' /v1/'),
  },
  {
    reason:
      'The caller, role and tenant are verified by a second statement in the same round trip, which takes half of the processor time of PostgreSQL for a short read. The process needs as much time again as `node:http` and `pg`, mostly for system calls, headers, the log and promises under AsyncLocalStorage:',
    matches: ({ key, statements }) => key.startsWith('GET ') && statements <= 2,
  },
  {
    reason:
      'Besides the verification, the route reads several tables, where the raw server reads one: the record, what belongs to it, and the plan or the rights that it depends on:',
    matches: ({ key }) => key.startsWith('GET '),
  },
  {
    reason:
      'The record is read and checked in the transaction that changes it, its event or audit entry is stored, and workers are notified after the commit, where the raw server writes one row in one round trip:',
    matches: () => true,
  },
]
