/** Why routes reach less than half of the raw server's rate. */
export interface Note {
  readonly routes: readonly string[]
  readonly reason: string
}

export const NOTES: readonly Note[] = [
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
    reason: 'The page passes through Express, its template and the layout, and reads several tables:',
    routes: [
      'GET /billing',
      'POST /billing',
      'GET /messages',
      'GET /messages/:id',
      'GET /messages/new',
      'POST /messages/new',
      'POST /messages/:id',
      'GET /forms/:id',
      'POST /forms/:id',
      'GET /forms/:id/frame',
      'POST /forms/:id/frame',
      'GET /mailbox',
      'GET /mailbox/:id',
      'GET /files',
      'GET /account',
      'GET /account/api-keys',
      'GET /account/logins',
      'GET /account/workspaces',
    ],
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
      'The caller, role and tenant are verified by a second statement in the same round trip, which takes half of the processor time of PostgreSQL for a short read, and the process needs as much time again as `node:http` and `pg`, mostly for system calls, headers, the log and promises under AsyncLocalStorage:',
    routes: [
      'GET /v1/sessions/:id',
      'POST /v1/sessions',
      'POST /v1/join',
      'POST /v1/forms/:id/submit',
      'GET /v1/forms/:id',
      'GET /v1/data/courses/:id',
      'POST /v1/data/courses',
      'POST /v1/data/subjects',
      'POST /v1/messaging/conversations/:id/messages',
      'GET /v1/content/pages/:id',
    ],
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
]
