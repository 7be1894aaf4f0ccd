/*
 * Mobile country codes (ITU-T E.212) by country, from the public lists of networks of November 2026. Countries that share networks
 * have several, and some codes belong to several countries.
 */
const codes = `
AD 213; AE 424; AF 412; AG 344; AI 365; AL 276; AM 283; AO 631; AR 722; AS 311 544; AT 232; AU 505; AW 363;
AX 244; AZ 400; BA 218; BB 342; BD 470; BE 206 270; BF 613; BG 284; BH 426; BI 642; BJ 616; BL 340;
BM 310 338 350; BN 528; BO 736; BQ 362; BR 724; BS 364; BT 402; BW 652; BY 257; BZ 702; CA 302; CC 505; CD 630;
CF 623; CG 629; CH 228; CI 612; CK 548; CL 730; CM 624; CN 460; CO 732; CR 712; CU 368; CV 625; CW 362; CX 505;
CY 280; CZ 230; DE 262; DJ 638; DK 238; DM 366; DO 370; DZ 603; EC 740; EE 248; EG 602; EH 604; ER 657; ES 214;
ET 636; FI 244; FJ 542; FK 750; FM 550; FO 288; FR 208; GA 628; GB 234 235; GD 352; GE 282 289; GF 340 742;
GG 234; GH 620; GI 266; GL 290; GM 607; GN 611; GP 340; GQ 627; GR 202; GT 704; GU 310 311; GW 632; GY 738;
HK 454; HN 708; HR 219; HT 372; HU 216; ID 510; IE 272; IL 425; IM 234; IN 404 405 406; IQ 418; IR 432; IS 274;
IT 222; JE 234; JM 338; JO 416; JP 440 441; KE 639; KG 437; KH 456; KI 545; KM 654; KN 356; KP 467; KR 450;
KW 419; KY 338 346; KZ 401; LA 457; LB 415; LC 338 358; LI 295; LK 413; LR 618; LS 651; LT 246; LU 270; LV 247;
LY 606; MA 604; MC 212; MD 255 259; ME 297; MF 340; MG 646; MH 551; MK 294; ML 610; MM 414; MN 428; MO 455;
MP 310; MQ 340; MR 609; MS 338 354; MT 278; MU 617; MV 472; MW 650; MX 334; MY 502; MZ 643; NA 649; NC 546;
NE 614; NF 505; NG 621; NI 710; NL 204; NO 242; NP 429; NR 536; NU 555; NZ 530; OM 422; PA 714; PE 716; PF 547;
PG 537; PH 515; PK 410; PL 260; PM 308; PR 310 313 330; PS 425; PT 268; PW 552; PY 744; QA 427; RE 647; RO 226;
RS 220; RU 250 255; RW 635; SA 420; SB 540; SC 633; SD 634; SE 240; SG 525; SH 658; SI 293; SJ 242; SK 231;
SL 619; SM 292; SN 608; SO 637; SR 746; SS 659; ST 626; SV 706; SX 362; SY 417; SZ 653; TC 338 376; TD 622;
TG 615; TH 520; TJ 436; TK 554; TL 514; TM 438; TN 605; TO 539; TR 286; TT 374; TV 553; TW 466; TZ 640; UA 255;
UG 641; US 310 311 312 313 314 315 316; UY 748; UZ 434; VA 225; VC 360; VE 734; VG 348; VI 310 311; VN 452;
VU 541; WF 543; WS 549; XK 221; YE 421; YT 647; ZA 655; ZM 645; ZW 648;
`;

const byCountry: ReadonlyMap<string, readonly string[]> = new Map(
  codes
    .split(';')
    .map((entry) => entry.trim().split(' '))
    .filter(([country]) => country !== '')
    .map(([country, ...of]) => [country!, of]),
);

const none: readonly string[] = [];

/** Returns the mobile country codes of a country (`IL`), three digits each; empty for an unknown country or null. */
export const mobileCountryCodesOf = (country: string | null): readonly string[] =>
  (country === null ? undefined : byCountry.get(country)) ?? none;
