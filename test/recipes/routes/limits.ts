/** Limits of the round trips of a request to the database. */

/** Before the commit of a write, or in all of a read. */
export const MAX_ROUND_TRIPS = 2

export interface Exception {
  readonly routes: readonly string[]
  readonly roundTrips: number
  readonly reason: string
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    routes: ['POST /v1/media', 'POST /files/upload'],
    roundTrips: 5,
    reason: 'The file is reserved before it is received, and its state is stored before and after each step.',
  },
  {
    routes: ['POST /v1/data/subjects/imports', 'POST /v1/data/courses/imports'],
    roundTrips: 6,
    reason: 'The rows of the file are stored in batches while it is received.',
  },
  {
    routes: ['GET /v1/streams/:id/chat'],
    roundTrips: 3,
    reason: 'The names of senders are read once their messages are known.',
  },
  {
    routes: ['GET /metrics'],
    roundTrips: 20,
    reason:
      'Each metric of the database is a read, and two of them run at a time, so that a scrape takes few connections.',
  },
  {
    routes: ['POST /v1/data/courses/batch'],
    roundTrips: 3,
    reason: 'Each operation is a round trip, so that an error names its operation.',
  },
  {
    routes: ['GET /console/*'],
    roundTrips: 3,
    reason: 'The workspace that is opened is kept for the other devices of the person, once their rights are known.',
  },
  {
    routes: ['GET /v1/billing/admin/tenants/:id'],
    roundTrips: 3,
    reason: 'Its six reads run side by side, and a workspace uses five connections at a time.',
  },
  {
    routes: ['POST /v1/billing/checkout'],
    roundTrips: 3,
    reason: 'The payment provider is called between the read and the transaction.',
  },
  {
    routes: ['POST /v1/media/edge/auth', 'POST /v1/media/edge/events'],
    roundTrips: 5,
    reason: "The tenant of a stream isn't known before its session is read, and its state is changed under its lock.",
  },
  {
    routes: [
      'PUT /v1/billing/admin/tenants/:id/subscription',
      'POST /v1/billing/admin/tenants/:id/subscription/cancel',
      'POST /v1/billing/admin/tenants/:id/subscription/trial',
    ],
    roundTrips: 8,
    reason:
      'The payment provider is called between the read and the transaction, and the plan before and after the change is recorded.',
  },
  {
    routes: ['GET /v1/platform/search'],
    roundTrips: 3,
    reason: 'The sources are read side by side. Then the names of the workspaces that were found are read.',
  },
  {
    routes: ['GET /v1/platform/audit'],
    roundTrips: 3,
    reason: 'The names of the users are read after the entries, whose sentences contain them.',
  },
  {
    routes: ['GET /v1/auth/me/export'],
    roundTrips: 35,
    reason: "Each module reads its own lists, in each workspace of the person and in the operator's.",
  },
  {
    routes: ['POST /v1/auth/me/delete', 'POST /account/data'],
    roundTrips: 8,
    reason:
      'The account is locked with its workspaces before its address is erased, each in a statement that reads the one before.',
  },
  {
    routes: ['POST /v1/auth/email-code/verify', 'POST /sign-in/email-code/verify', 'POST /sign-in/email-code/link'],
    roundTrips: 4,
    reason: 'A try is counted, and a code used up, whatever comes next; then the address is looked up and signed in.',
  },
  {
    routes: ['GET /console/screens/:workspace/:module/:name'],
    roundTrips: 3,
    reason: 'The workspace of the address is found by its slug before the rights in it are read.',
  },
  {
    routes: ['DELETE /v1/identity/tenants/:id'],
    roundTrips: 3,
    reason: 'Modules stop what they do for the workspace, such as sending webhooks, in its transaction.',
  },
  {
    routes: ['POST /v1/content/pages/:id/reset', 'POST /v1/content/navigation/:key/reset'],
    roundTrips: 5,
    reason: 'It writes as a start with a changed recipe does: each statement depends on the one before.',
  },
  {
    routes: ['GET /v1/messaging/inbox', 'POST /v1/messaging/inbox/:id/messages'],
    roundTrips: 3,
    reason: 'The workspace of a conversation is found before it is locked, or its name and plan are read.',
  },
  {
    routes: ['GET /v1/messaging/inbox/:id'],
    roundTrips: 4,
    reason: 'The workspace of the conversation is found before it is read. Then its name and its plan are read.',
  },
  {
    routes: ['PATCH /v1/messaging/inbox/:id'],
    roundTrips: 5,
    reason: 'The workspace of the conversation is found before it is changed. Then its name and its plan are read.',
  },
  {
    routes: ['POST /v1/auth/verify-email', 'POST /v1/auth/email/confirm'],
    roundTrips: 4,
    reason:
      'The account is found before its password is compared. Access from before ends after the address is written.',
  },
  {
    routes: ['POST /verify-email', 'POST /change-email'],
    roundTrips: 5,
    reason: 'The page asks who confirms before it does what the route of the API does.',
  },
  {
    routes: ['GET /v1/automations/runs/:id'],
    roundTrips: 3,
    reason: 'The run names its row, whose rights say which values of the run are shown.',
  },
  {
    routes: ['POST /v1/automations/runs/:id/retry'],
    roundTrips: 6,
    reason:
      'The workspace of the run is found before it is locked, its input and other presses are read, and it is changed. Its job replaces the one that waits.',
  },
  {
    routes: ['POST /v1/automations/runs/:id/cancel'],
    roundTrips: 4,
    reason:
      'The workspace of the run is found before it is locked and changed, and its job replaces the one that waits.',
  },
  {
    routes: ['POST /v1/automations/runs/:id/again'],
    roundTrips: 6,
    reason:
      'The workspace of the run is found before its input and other presses are read. Then a run and its job are inserted.',
  },
  {
    routes: ['POST /v1/automations/touch/run'],
    roundTrips: 4,
    reason:
      'The row is read with the rights of the caller. Other presses are read under a lock. Then the run and its job are inserted.',
  },
  {
    routes: ['POST /v1/automations/asks/:id/answer', 'POST /questions/:id'],
    roundTrips: 5,
    reason:
      'The question names its run, which is locked before the answer, as workers do. Then its job replaces the one that waits.',
  },
]
