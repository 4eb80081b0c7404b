import { defineSettings } from 'larder/kernel'

export const settings = defineSettings({
  variables: [{ name: 'SMTP_URL', about: 'SMTP server that sends mail: smtp://user:password@host:port', secret: true }],
  read: env => ({ smtpUrl: env.url('SMTP_URL', ['smtp', 'smtps']) }),
})
