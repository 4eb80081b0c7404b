import type { Models } from 'larder/kernel'
import type { Message } from './services/message-repository.ts'
import type { Suppression } from './services/suppression-list.ts'

export interface MessageRow extends Message {
  /** The address in the form that is compared. */
  readonly recipientKey: string
}

/** An entry of the suppression list. `upsert` requires the tenant under its column name. */
export interface SuppressionRow extends Suppression {
  readonly tenant_id: string
}

export const suppressionModel = (models: Models) =>
  models.define<SuppressionRow>(
    'CommsSuppression',
    ({ TEXT, DATE }) => ({
      id: { type: TEXT, primaryKey: true },
      tenant_id: TEXT,
      email: TEXT,
      category: TEXT,
      reason: TEXT,
      expiresAt: DATE,
      createdAt: DATE,
      updatedAt: DATE,
    }),
    { tableName: 'comms_suppression' },
  )

export const messageModel = (models: Models) =>
  models.define<MessageRow>(
    'CommsMessage',
    ({ TEXT, JSONB, INTEGER, DATE }) => ({
      id: { type: TEXT, primaryKey: true },
      tenantId: TEXT,
      template: TEXT,
      to: { type: TEXT, field: 'recipient' },
      recipientKey: TEXT,
      locale: TEXT,
      category: TEXT,
      subject: TEXT,
      data: JSONB,
      status: TEXT,
      attempts: INTEGER,
      history: JSONB,
      sentAt: DATE,
      createdAt: DATE,
      updatedAt: DATE,
    }),
    { tableName: 'comms_messages' },
  )
