import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguageChoice } from '../../components/language-choice';
import { Logo } from '../../components/logo';
import classes from './auth-page.module.css';

interface AuthPageProps {
  heading: string;
  lead: string;
  children: ReactNode;
  /** Below the form: links to the other pages. */
  foot: ReactNode;
}

/** Layout of all pages before sign-in. */
export function AuthPage({ heading, lead, children, foot }: AuthPageProps) {
  return (
    <div className={classes.screen}>
      <AuthArtwork />
      <main className={classes.panel}>
        <div className={classes.language}>
          <LanguageChoice compact />
        </div>
        <div className={classes.heading}>
          <Title order={1}>{heading}</Title>
          <Text c="dimmed">{lead}</Text>
        </div>
        {children}
        <div className={classes.foot}>{foot}</div>
      </main>
    </div>
  );
}

const hexagon = 'M0-26 22.5-13V13L0 26-22.5 13V-13Z';

/** Illustration on the left half: a question, its answer and a podium. */
function AuthArtwork() {
  const { t } = useTranslation('auth');
  return (
    <aside className={classes.artwork}>
      <svg className={classes.scene} viewBox="0 0 760 900" preserveAspectRatio="xMidYMid slice" aria-hidden>
        <Paths />
        <g className={classes.float}>
          <QuestionCard />
        </g>
        <g className={classes.floatLate}>
          <AnswerCard />
        </g>
        <Podium />
      </svg>
      <div className={classes.brand}>
        <Logo />
      </div>
      <div className={classes.words}>
        <p className={classes.claim}>{t('login.tagline')}</p>
        <p className={classes.detail}>{t('login.taglineDetail')}</p>
      </div>
    </aside>
  );
}

function Paths() {
  return (
    <g fill="none" stroke="#fff" strokeOpacity=".13" strokeWidth="1.5">
      {[
        [90, 210],
        [640, 150],
        [690, 520],
        [110, 560],
        [300, 690],
      ].map(([x, y]) => (
        <path
          key={x}
          d={hexagon}
          transform={`translate(${x} ${y}) scale(${(x ?? 0) % 3 === 0 ? 2.2 : 1.3})`}
        />
      ))}
      <path
        d="M90 210C200 120 330 160 380 260S600 380 640 470"
        strokeDasharray="2 10"
        strokeLinecap="round"
      />
      <path d="M110 560C220 640 420 650 520 590" strokeDasharray="2 10" strokeLinecap="round" />
    </g>
  );
}

function QuestionCard() {
  return (
    <g transform="translate(120 210)">
      <rect width="400" height="176" rx="18" fill="#fff" />
      <rect x="28" y="28" width="86" height="24" rx="12" fill="#eae6fb" />
      <rect x="44" y="37" width="54" height="6" rx="3" fill="#6b4fc9" />
      <rect x="124" y="28" width="72" height="24" rx="12" fill="none" stroke="#cbd2df" />
      <rect x="140" y="37" width="40" height="6" rx="3" fill="#596178" />
      <rect x="28" y="72" width="318" height="11" rx="5.5" fill="#1a2033" />
      <rect x="28" y="93" width="212" height="11" rx="5.5" fill="#1a2033" />
      <circle cx="41" cy="138" r="13" fill="#a61e5d" />
      <rect x="64" y="134" width="80" height="8" rx="4" fill="#b4bccd" />
      <g fill="none" stroke="#4460d3" strokeWidth="2" strokeLinejoin="round">
        <path d="M318 128l8 9h-4v9h-8v-9h-4z" fill="#dfe6fd" />
      </g>
      <rect x="334" y="134" width="22" height="8" rx="4" fill="#4460d3" />
      <g transform="translate(400 0)">
        <path d={hexagon} fill="#4460d3" stroke="#fff" strokeWidth="4" strokeLinejoin="round" />
        <path
          d="M-6-4.500a6.500 6.500 0 1 1 9.400 5.800c-2 1-3.200 2.200-3.200 4.200"
          fill="none"
          stroke="#fff"
          strokeWidth="3.500"
          strokeLinecap="round"
        />
        <circle cy="13" r="2.400" fill="#fff" />
      </g>
    </g>
  );
}

function AnswerCard() {
  return (
    <g transform="translate(220 422)">
      <rect width="420" height="164" rx="18" fill="#f1fbf5" stroke="#8fd3ab" strokeWidth="1.5" />
      <circle cx="46" cy="44" r="18" fill="#0f766e" />
      <rect x="76" y="34" width="104" height="9" rx="4.500" fill="#1a2033" />
      <rect x="76" y="51" width="56" height="7" rx="3.500" fill="#a9c4b5" />
      <g transform="translate(300 32)">
        <rect width="94" height="26" rx="13" fill="#1f7a43" />
        <path
          d="M14 13l4 4 8-8"
          fill="none"
          stroke="#fff"
          strokeWidth="2.500"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
        <rect x="34" y="10" width="46" height="6" rx="3" fill="#fff" />
      </g>
      <g fill="#7d9488">
        <rect x="28" y="84" width="364" height="8" rx="4" />
        <rect x="28" y="104" width="330" height="8" rx="4" />
        <rect x="28" y="124" width="196" height="8" rx="4" />
      </g>
    </g>
  );
}

function Podium() {
  const steps = [
    { x: 0, height: 54, fill: '#c3cbdb' },
    { x: 58, height: 86, fill: '#f2c14e' },
    { x: 116, height: 36, fill: '#d39a6a' },
  ];
  return (
    <g transform="translate(510 752)">
      {steps.map(({ x, height, fill }) => (
        <g key={x} transform={`translate(${x} ${-height})`}>
          <rect width="50" height={height} rx="8" fill="#fff" fillOpacity=".14" />
          <circle cx="25" cy="-24" r="15" fill={fill} />
          <path
            d="M25-31l2.100 4.300 4.700.7-3.400 3.300.8 4.700-4.200-2.200-4.200 2.200.8-4.700-3.400-3.300 4.700-.7z"
            fill="#141d38"
            fillOpacity=".6"
          />
        </g>
      ))}
    </g>
  );
}
