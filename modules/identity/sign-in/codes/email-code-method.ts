/** Sign-in with a code or a link from an email. Its routes and pages validate the body: `{request, code}` or `{token}`. */
import type { VerifyingMethod } from '../../ports.ts'
import { EMAIL_CODE } from '../sign-in-methods.ts'
import type { EmailCodes, ProvedAddress } from './email-codes.ts'

export type EmailProof = { readonly request: string; readonly code: string } | { readonly token: string }

export function createEmailCodeMethod({ emailCodes }: { readonly emailCodes: EmailCodes }): VerifyingMethod {
  const verify = (proof: EmailProof): Promise<ProvedAddress | null> =>
    'token' in proof ? emailCodes.useLink(proof.token) : emailCodes.useCode(proof.request, proof.code)
  return {
    name: EMAIL_CODE,
    label: 'Email code',
    flow: 'credentials',
    verify: body => verify(body as EmailProof),
  }
}
