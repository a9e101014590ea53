import { fold } from './names.ts';

/** Makes one expression of phrases: one language a line, each phrase from the beginning of a word, without accents. */
const anyOf = (phrases: string) =>
	new RegExp(
		`(?<![a-z])(?:${fold(phrases)
			.trim()
			.split(/\s*\n\s*/)
			.join('|')})`,
	);

/** A sentence that tells the reader how to get no more messages. */
export const optOut = anyOf(String.raw`
^(?:p\.?s\.? ?:? ?)?(?:click (?:here )?to )?(?:unsubscribe|opt[ -]?out)\b|(?:reply|respond|answer|text|write)(?: \w+){0,2} "?(?:stop|no|remove|unsubscribe|leave out|opt out|not interested)\b|(?:^|you(?:'d| would)? (?:like|wish|want|prefer) )to (?:be removed|unsubscribe|opt[ -]?out|stop (?:receiving|getting|these))|if you(?:'d| would)? (?:rather not|prefer not|do not|don't|no longer)(?: \w+){0,2} (?:hear|receive|get|be contacted)|not interested.{0,20}ignore|(?:opt out|unsubscribe) (?:at|here|by|via|using)\b|(?:won't|will not|will never|'ll never) (?:write|contact|bother|email|message|come back)
(?:hier|jederzeit) ab(?:melden|bestellen)|abmelden: |antworte(?:n sie)?(?: \w+){0,3} ["„]?(?:stop|nein|abmelden|kein interesse)\b|trag(?:en sie sich|t euch| dich)(?: \w+){0,2} aus|keine weiteren (?:nachricht|mail|e-mail|werbung)\w* (?:wunsch|mocht|woll|erhalt)
para (?:darse|darte) de baja|si no (?:desea|quiere)\w*(?: \w+){0,2} recibir|para no recibir|(?:responda|responde|escriba)(?: \w+){0,2} ["«]?(?:baja|stop|no)\b|d[ae]te de baja|dese de baja
pour (?:ne plus recevoir|vous (?:desabonner|desinscrire))|repondez(?: \w+){0,2} ["«]? ?(?:stop|non)\b|(?:desabonnez|desinscrivez)-vous|si vous ne (?:souhaitez|voulez|desirez) (?:plus|pas)(?: \w+){0,2} (?:recevoir|etre)
para (?:sair da lista|se descadastrar|nao receber)|(?:se|caso) (?:voce )?nao (?:\w+ ){0,3}receber|responda(?: \w+){0,2} ["«]?(?:sair|remover|stop|nao|descadastrar|parar)\b|descadastre-se
لالغاء الاشتراك|(?:لا ترغب|لا تريد).{0,20}(?:استلام|استقبال|تلقي)|(?:ارسل|رد).{0,10}(?:ايقاف|الغاء|stop)
отписаться|отпишитесь|не хотите получать|чтобы не получать`);

/** The sender came across our site or firm. */
export const approach = anyOf(String.raw`
(?:i|we)(?:'ve| have| was| were)?(?: just| recently| also)? (?:came across|found|visited|visiting|look(?:ed|ing) at|had a look at|go(?:ne|ing) through|went through|brows(?:ed|ing)|check(?:ed|ing)(?: out)?|review(?:ed|ing)|read|ran|scanned|audited|analy[sz]ed|noticed|stumbled (?:upon|on|across))(?: \w+){0,3} your (?:web ?)?(?:site|page|homepage|blog|domain|company|business|listing|profile)|lov(?:e|es|ed) (?:your (?:blog|site|website|content)|what you)|on behalf of your (?:website|site)
auf (?:ihre|eure|deine)\w* (?:\w+ )?(?:seite|webseite|website|homepage|internetseite|unternehmen|firma)\w* (?:gestossen|aufmerksam|gelandet)|(?:ihre|eure|deine)[rn]? (?:website|webseite|homepage|internetseite) (?:\w+ ){0,3}(?:angesehen|angeschaut|analysiert|gepruft|besucht)|mir ist aufgefallen
(?:vi|visto|vimos|visite|visitando|encontre|revise|revisando|viendo|navegando)(?: \w+){0,3} (?:su|tu|vuestra) (?:pagina|web|sitio|perfil|empresa|negocio)
(?:en (?:parcourant|visitant|consultant|analysant)|(?:ai|avons) (?:\w+ )?(?:visite|vu|parcouru|consulte|analyse|releve|constate sur)|tombee? sur)(?: \w+){0,2} votre (?:site|page|activite|entreprise)
(?:vi|vimos|visitei|encontrei|notei|percebi|analisei|reparei)(?: \w+){0,3} (?:seu|sua|vosso|vossa|o|a) (?:site|pagina|website|instagram|perfil|empresa|clinica de voces)
(?:لاحظنا|لاحظت|اطلعت|اطلعنا|زرت|زرنا|وجدت|وجدنا|تصفحت|شاهدت).{0,25}(?:موقعكم|موقعك|صفحتكم|متجركم)
(?:зашли|посмотрел|увидел|изучил|нашли|нашел).{0,30}ваш\w* саит`);

/** Goods that robots and strangers sell to owners of sites. */
export const goods = anyOf(String.raw`
(?:first|1st|top) (?:page|position|spot)s? (?:of|on|in) (?:google|search)|google(?:'s)? (?:1st|first) page|rank(?:ing|s|ed)?\b.{0,30}\bgoogle|seo (?:service|package|expert|audit|agency|company|report|issue|plan|campaign)|backlinks?\b|do-?follow|link building|domain (?:authority|rating)|guest post|sponsored (?:post|article)|organic traffic|website traffic|search engine optimi|social media (?:marketing|management)|digital marketing|google (?:ads|maps) (?:service|expert|ranking)
web ?(?:site)? ?(?:re)?design(?:er)?\b|web ?(?:site)? ?develop(?:er|ment)|mobile app|app development|(?:engineering|software|development) (?:shop|house|agency|team)|wordpress|explainer video|animated video|promo(?:tional)? video|ghostwrit
(?:contact|e-?mail|mailing|lead|customer) (?:list|database)s? (?:of|with|for)\b|qualified (?:leads|appointments|meetings|sales|calls)|booked (?:appointments|meetings|demos|calls)|lead gen|exclusive leads|(?:new|more) (?:customers|clients|patients|leads) (?:every|per|each|a) (?:month|week)|cold (?:e-?mail|outreach)|capture[sd]? (?:\w+ )?visitors?|(?:contact|feedback|website) forms? .{0,40}(?:messages|offers|letters)|commercial offer|bulk (?:sms|e-?mail|whatsapp)|ai agents? that|builds? (?:custom )?(?:ai|chat) ?(?:agents|bots)|chatbots? for
working capital|business (?:loan|funding|capital|line of credit)|cash advance|bad credit|(?:urgent|personal|quick) loans?|loan offer|crypto (?:trading|invest|signal|wallet)|trading (?:bot|signal|platform)|forex|passive income|invest(?:ment|or) (?:opportunit|proposal)|next of kin|beneficiary|compensation fund
online casino|casino bonus|free ?spins|no deposit|sports? betting|online slots|(?:buy|order|generic|cheap) (?:\w+ ){0,2}(?:cialis|viagra|tramadol|kamagra|pills)|weight loss (?:pill|product|supplement)|replica watch|write my essay|payday loan|sexy|dating|hot girls|nudes|hack(?:er|ing) (?:service|for hire)|fake (?:passport|documents)|iptv|(?:instagram|tiktok|real|active) followers|(?:buy|real|positive|5[- ]star|negative) (?:google )?reviews
janitorial|cleaning (?:service|company|for)|virtual assistants? from|trained (?:medical )?virtual assistants|outsourc(?:e|ing)|offshore|billing service|voice (?:termination|routes)|merchant (?:services|account)|(?:card|payment) processing|promotional products|wholesale|energy (?:bill|supplier|prices)|solar panels
copyrighted (?:images?|photos?|pictures?|content)|copyright (?:infring|claim|violation|complaint)|domain (?:search engine )?registration|domain (?:name )?(?:expir|renew)|scheduled for (?:permanent )?deletion|trademark (?:policy|violation|registration)|mailbox (?:is (?:almost )?full|has exceeded|storage|quota)|gift card|you have been (?:selected|nominated|chosen)|accessibility (?:lawsuit|audit|compliance)
suchmaschinenoptimierung|seo[- ](?:agentur|paket|analyse|check|optimierung)|(?:bei|auf) google .{0,40}(?:gefunden|sichtbar|platz|ranking)|erste[rn]? seite (?:bei|von) google|backlinkaufbau|gastartikel|gastbeitrag|webdesign|erklarvideo|imagefilm|neukunden|kundengewinnung|akquise|qualifizierte (?:anfragen|termine|leads|kontakte)|adress(?:daten|liste|datenbank)|(?:google )?bewertungen (?:ab|kaufen|loschen)|kredit\b|kredite|darlehen|finanzierung ohne|ohne schufa|netten mann|kennenlernen|kuscheln|online-?casino|freispiele|reinigungsdienst|praxisreinigung|gebaudereinigung|domain\w* (?:ablauf|verlanger|registrier)|registrierung .{0,30}(?:firmennamens|domain)|urheberrecht|branchenverzeichnis|virtuelle assistent
posicionamiento (?:web|en google|seo) |primera pagina de google|primeros (?:lugares|puestos|resultados) (?:de|en) google|diseno web|disenador web|webs? profesional|paginas web|tienda online|base de datos de|listas? de (?:correos|emails|contactos)|captacion de (?:clientes|pacientes)|mas (?:clientes|pacientes) (?:cada|al) mes|agentes de ia|chatbots? |prestamos?\b|creditos? (?:de|rapido|urgente|al)|casino online|giros gratis|buzon (?:\w+ )?(?:lleno|supera|ha superado)|verifique su cuenta|derechos de autor|servicios? de limpieza|video (?:explicativo|animado)|seguidores|resenas (?:positivas|reales)|inversion (?:rentable|segura)|ganar dinero|criptomonedas
(?:votre|le) referencement|referencement naturel|premiere page (?:de|sur) google|creation de sites?|refonte de|site (?:web|internet) (?:a partir|professionnel|moderne)|netlinking|article invite|rdv qualifies|rendez-vous qualifies|prospection|generation de leads|fichiers? (?:de )?(?:prospects|emails?|entreprises)|base de donnees de|prets? (?:de|entre|entre particuliers|personnel|rapide)|credit (?:immobilier|rapide|conso)|rachat de (?:dettes|credit)|casino en ligne|tours gratuits|sans licence|droits? d'auteur|video explicative|nettoyage de|entreprise de nettoyage|abonnes instagram|faux avis|avis google (?:positifs|verifies)|suspension de votre (?:compte|domaine)
trafego pago|google meu negocio|(?:primeira pagina|primeiros|3 primeiros|topo) .{0,12}(?:google|entre)|otimizacao (?:de sites|seo)|criacao de (?:sites?|paginas?)|desenvolvimento de (?:sites?|apps?)|backlinks|lista (?:com|de) .{0,20}(?:emails|contatos|telefones|contactos)|mais (?:clientes|pacientes) (?:por|todo|cada) mes|leads qualificados|emprestimos?\b|credito (?:rapido|pessoal|consignado)|ganhe r\$|cassino|rodadas gratis|sem deposito|tigrinho|renda extra|seguidores|video explicativo|servicos? de limpeza|direitos autorais|dominio .{0,15}(?:expira|vence)|agentes de ia
محركات البحث|الصفحه الاولي|الصفحة الاولى|تصميم (?:مواقع|المواقع|موقع|تطبيقات)|تطوير (?:مواقع|تطبيقات)|باك ?لينك|قروض|قرض|تمويل (?:سريع|شخصي|مشاريع)|قاعدة بيانات|قوائم (?:بريد|ايميلات)|زيادة (?:المتابعين|المبيعات|العملاء)|متابعين|كازينو|رهان|تداول|العملات الرقمية|استثمار مضمون|خدمات (?:تنظيف|التنظيف)|شركة (?:تنظيف|تسويق)|فيديو (?:موشن|توضيحي)|التسويق (?:الالكتروني|الرقمي)
казино|фриспин|без депозита|прогон саита|вечные ссылки|продвижени[ея] саит|seo[- ]продвижени|номера телефонов посетител|горячие заявки|клиент\w* конкурент|рассылк[аи]|базы? (?:данных|email|клиентов)|заработок|кредит|заим|криптовалют|накрутк
谷歌|外贸|贷款|博彩|推广|发票`);

/** How strangers make an answer easy: something free, a price at once, a promise, a question whether they may, or a chat. */
export const hooks = anyOf(String.raw`
free (?:\w+ )?(?:audit|report|analysis|review|consultation|mock-?up|samples?|quote|walkthrough|estimate|proposal|evaluation|test|call|trial)|free of charge|at no cost|no[- ](?:obligation|collateral|contract|prescription|credit check|setup fee|win|strings)|(?:shall|can|could|may|might|should) (?:i|we) (?:\w+ )?(?:send|share|show|e-?mail|come by|give you|speak)|would you (?:be|like) (?:interested|open|to (?:see|hear|know|receive))|worth a (?:chat|call|look)|ok(?:ay)? if i|(?:be )?against hearing|could we speak|guarantee|or you don't pay|money[- ]back|only (?:pay|charge)|risk[- ]free|(?:only|just|from|costs?|starts?|start at|starting at|price:?) [$€£] ?\d|[$€£] ?\d[\d.,]*k? ?(?:\/|per\b|up to)|% off|order (?:here|now)|click here to (?:try|get|claim|start|book)|apply (?:now|here)|act (?:now|immediately)|(?:within|in the next) (?:the next )?(?:\d+|few|a few) (?:hours|days)|only \d+ \w+ (?:left|remaining)|whatsapp|telegram|skype|best time to call|price list|counts and cost|overnight delivery|(?:you could|will) be sued|legal action|file a complaint
kostenlos|kostenfrei|unverbindlich|garantiert|geld zuruck|ohne risiko|darf ich (?:ihnen|dir|euch)|durfen wir ihnen|soll ich (?:ihnen|dir)|passt es ihnen|nur \d|ab \d[\d.,]* ?(?:€|euro)|\d ?€ (?:statt|pro|monat)|jetzt (?:bestellen|sichern|buchen)|(?:innerhalb|binnen) (?:von )?\d+ (?:stunden|tage)|ohne verpflichtung|\d+ ?minuten
sin (?:compromiso|coste|costo|aval|riesgo)|gratuit[ao]|gratis|garantiz|(?:le|les|os|te) (?:envio|muestro|mando|enviamos|mostramos)|puedo (?:enviar|mostrar|mandar)|(?:desde|solo|por|por solo) \d[\d.,]* ?(?:€|euros?|usd|dolares)|al \d+ ?%|\d+ minutos|antes de \d+ horas|solicite ya
gratuite?s?|sans engagement|garanti|souhaitez-vous (?:recevoir|que)|puis-je vous|seriez-vous|(?:a partir de|seulement|des) \d[\d.,]* ?(?:€|euros)|taux de \d|(?:sous|dans les) \d+ ?(?:h|heures|jours)|procedure sera|par mois grace
gratuit[ao]|gratis|sem (?:compromisso|custo|deposito|consulta)|garant|posso (?:\w+ )?(?:mandar|enviar|mostrar)|(?:apenas|so|a partir de|por) (?:r\$|€) ?\d|em ate \d+ dias|entrega imediata
مجان|ضمان|بدون (?:ضمان|التزام|فوائد)|هل (?:يمكننا|ترغب|تحتاج|تريد)|(?:من|فقط|تبدا من|ب) ?\d+ ?(?:دولار|ريال|درهم|جنيه)|واتس|تليجرام|بفائدة
бесплатно|от \d+ руб|гаранти|могу прислать|телеграм|заказать|бонус
微信|全额退款|仅需|元|免费`);

/** A clinic speaks of its own patients, reception or calls. */
export const ofClinic = anyOf(String.raw`
(?:our|my) (?:\w+ )?(?:patients|clinic|practice|surgery|reception|front desk|phones|calls|callers|vets|dentists|doctors)|we(?:'re| are) (?:a|an) (?:\w+ ){0,3}(?:practice|clinic|surgery|hospital|dental office)
(?:unser|mein)\w* (?:\w+ )?(?:patient|praxis|klinik|anmeldung|empfang|rezeption|telefon|anruf|ordination|helferin)
(?:nuestr[oa]s?|mis?) (?:\w+ )?(?:paciente|clinica|consulta\b|consultorio|recepcion|llamada|centralita)
(?:nos|notre|mes|mon) (?:\w+ )?(?:patient|cabinet|clinique|accueil|secretaire|secretariat|standard|appels)
(?:noss[oa]s?|meus?|minhas?) (?:\w+ )?(?:paciente|doente|utente|clinica|consultorio|recepc|recec|secretaria|ligac|chamad)
مرضانا|عيادتنا|عياداتنا|مرضاي|عيادتي|مركزنا|موظفة الاستقبال|المرضى عندنا`);
