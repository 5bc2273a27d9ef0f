/**
 * Domains of public mail providers: an address there is a person's, not an organisation's.
 * Data only.
 */
const PROVIDERS = new Set(
  `gmail.com googlemail.com outlook.com outlook.de outlook.fr hotmail.com hotmail.co.uk hotmail.fr hotmail.de live.com
   live.co.uk live.nl msn.com yahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.co.jp yahoo.co.in ymail.com rocketmail.com
   icloud.com me.com mac.com aol.com aim.com proton.me protonmail.com protonmail.ch pm.me tutanota.com tuta.io tuta.com
   gmx.de gmx.net gmx.com gmx.at gmx.ch web.de t-online.de freenet.de posteo.de mailbox.org fastmail.com fastmail.fm
   hey.com zoho.com mail.com email.com mail.ru yandex.ru yandex.com ya.ru bk.ru list.ru inbox.ru qq.com 163.com 126.com
   sina.com foxmail.com naver.com daum.net hanmail.net orange.fr wanadoo.fr free.fr sfr.fr laposte.net libero.it
   virgilio.it tiscali.it seznam.cz wp.pl o2.pl interia.pl onet.pl abv.bg ukr.net rediffmail.com comcast.net verizon.net
   att.net sbcglobal.net bellsouth.net cox.net charter.net btinternet.com sky.com ntlworld.com bigpond.com optusnet.com.au
   xtra.co.nz shaw.ca rogers.com telus.net terra.com.br uol.com.br bol.com.br duck.com skiff.com riseup.net disroot.org
   mailfence.com startmail.com runbox.com ziggo.nl kpnmail.nl home.nl telenet.be skynet.be bluewin.ch`
    .trim()
    .split(/\s+/),
);

/** The part after the last @, in lower case, and whether it is a provider's. */
export function domainOf(email: string): { domain: string; personal: boolean } {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return { domain, personal: PROVIDERS.has(domain) };
}
