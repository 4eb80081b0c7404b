/** Domains of email addresses. Pure. */
import { asciiAddress } from '@larder-dev/larder/kernel/internal'

const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** Domains in which anyone can have an address. */
const PUBLIC_DOMAINS = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com hotmail.co.uk hotmail.de hotmail.fr live.com msn.com outlook.de
   yahoo.com yahoo.co.uk yahoo.de yahoo.fr yahoo.co.jp ymail.com rocketmail.com aol.com icloud.com me.com mac.com
   proton.me protonmail.com pm.me tutanota.com tuta.io tuta.com gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de
   freenet.de posteo.de mailbox.org mail.de arcor.de 1und1.de online.de vodafone.de mail.com email.com usa.com
   zoho.com zohomail.com fastmail.com fastmail.fm hey.com duck.com yandex.com yandex.ru ya.ru mail.ru bk.ru inbox.ru
   list.ru rambler.ru qq.com foxmail.com 163.com 126.com sina.com sohu.com aliyun.com naver.com hanmail.net daum.net
   orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it tiscali.it alice.it tin.it terra.com.br
   uol.com.br bol.com.br comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net
   btinternet.com virginmedia.com sky.com talktalk.net ntlworld.com bigpond.com optusnet.com.au shaw.ca rogers.com
   bluewin.ch hispeed.ch sunrise.ch chello.at aon.at telenet.be skynet.be ziggo.nl kpnmail.nl planet.nl xs4all.nl
   wp.pl o2.pl onet.pl interia.pl seznam.cz centrum.cz rediffmail.com mailinator.com guerrillamail.com yopmail.com`.split(
    /\s+/,
  ),
)

/** Lower case and ASCII. Undefined for text that isn't a domain. */
export function normalDomain(text: string): string | undefined {
  const domain = asciiAddress(`@${text.trim().toLowerCase()}`)?.slice(1)
  return domain !== undefined && DOMAIN.test(domain) ? domain : undefined
}

export const isPublicDomain = (domain: string): boolean => PUBLIC_DOMAINS.has(domain)

/** The domain of an address in its normal form. Undefined for text that isn't an address. */
export function domainOf(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  return at > 0 ? normalDomain(email.slice(at + 1)) : undefined
}

/** Whether the domain of the address, or a parent of it, is on the list of the recipe. */
export function isDisposableAddress(
  { disposableDomains }: { readonly disposableDomains: ReadonlySet<string> },
  email: string,
): boolean {
  if (disposableDomains.size === 0) return false
  const labels = domainOf(email)?.split('.') ?? []
  return labels.some((_, start) => disposableDomains.has(labels.slice(start).join('.')))
}
