// Names of openings by position, written for Luft. It loads when a game has moves.

import { parseSan } from "chessops/san";
import { fenOf, INITIAL_FEN, positionOf } from "./position";

/** A line continues the moves of the line above it that is indented less. Its names are English and, where it differs, German;
 *  after a colon stands a variation of the opening before it. */
const NAMES = `
e4 | King's Pawn | Königsbauer
 e5 | Open Game | Offenes Spiel
  Nf3
   Nc6
    Bb5 | Ruy Lopez | Spanische Partie
     a6 | : Morphy Defence | : Morphy-Verteidigung
      Bxc6 | : Exchange Variation | : Abtauschvariante
      Ba4 d6 | : Steinitz Defence Deferred | : Aufgeschobene Steinitz-Verteidigung
      Ba4 Nf6 O-O
       Nxe4 | : Open Variation | : Offene Variante
       b5 Bb3 Bb7 | : Archangelsk Variation | : Archangelsk-Variante
       Be7 | : Closed Variation | : Geschlossene Variante
        Re1 b5 Bb3
         O-O c3 d5 | : Marshall Attack | : Marshall-Angriff
         d6 c3 O-O h3
          Na5 | : Chigorin Variation | : Tschigorin-Variante
          Nb8 | : Breyer Variation | : Breyer-Variante
          Bb7 | : Zaitsev Variation | : Saizew-Variante
     Nf6 | : Berlin Defence | : Berliner Verteidigung
     d6 | : Steinitz Defence | : Steinitz-Verteidigung
     f5 | : Schliemann Gambit | : Jänisch-Gambit
     Nd4 | : Bird Defence | : Bird-Verteidigung
     Bc5 | : Classical Defence | : Klassische Verteidigung
    Bc4 | Italian Game | Italienische Partie
     Bc5 | : Giuoco Piano
      b4 | Evans Gambit | Evans-Gambit
      c3 Nf6 d3 | : Giuoco Pianissimo
      c3 Nf6 d4 | : Centre Attack | : Zentrumsangriff
     Nf6 | Two Knights Defence | Zweispringerspiel
      Ng5 | : Knight Attack | : Springerangriff
       Bc5 | : Traxler Attack | : Traxler-Gegenangriff
       d5 exd5 Nxd5 Nxf7 | : Fried Liver Attack | : Fegatello-Angriff
     Be7 | Hungarian Defence | Ungarische Verteidigung
     Nd4 | Italian Game: Blackburne Gambit | Italienische Partie: Blackburne-Gambit
    d4 | Scotch Game | Schottische Partie
     exd4 Nxd4
      Bc5 | : Classical Variation | : Klassische Variante
      Nf6 Nxc6 bxc6 e5 | : Mieses Variation | : Mieses-Variante
     exd4 Bc4 | Scotch Gambit | Schottisches Gambit
     exd4 c3 | Göring Gambit | Göring-Gambit
    Nc3 | Three Knights Game | Dreispringerspiel
     Nf6 | Four Knights Game | Vierspringerspiel
      Bb5 | : Spanish Variation | : Spanische Variante
      d4 | : Scotch Variation | : Schottische Variante
    c3 | Ponziani Opening | Ponziani-Eröffnung
   Nf6 | Petrov Defence | Russische Verteidigung
    Nxe5 d6 Nf3 Nxe4 | : Classical Attack | : Klassischer Angriff
    d4 | : Steinitz Attack | : Steinitz-Angriff
   d6 | Philidor Defence | Philidor-Verteidigung
   f5 | Latvian Gambit | Lettisches Gambit
   d5 | Elephant Gambit | Mittelgambit im Nachzug
   f6 | Damiano Defence | Damiano-Verteidigung
  Nc3 | Vienna Game | Wiener Partie
   Nf6 f4 | : Vienna Gambit | : Wiener Gambit
  f4 | King's Gambit | Königsgambit
   exf4 | : Accepted | : Angenommen
    Nf3 g5 h4 g4 Ne5 | : Kieseritzky Gambit | : Kieseritzky-Gambit
    Bc4 | : Bishop's Gambit | : Läufergambit
   Bc5 | : Declined | : Abgelehnt
   d5 | : Falkbeer Countergambit | : Falkbeer-Gegengambit
  Bc4 | Bishop's Opening | Läuferspiel
  d4 exd4
   Qxd4 | Centre Game | Mittelspiel-Eröffnung
   c3 | Danish Gambit | Nordisches Gambit
 c5 | Sicilian Defence | Sizilianische Verteidigung
  Nf3
   d6 d4 cxd4 Nxd4 Nf6 Nc3 | : Open | : Offen
    a6 | : Najdorf Variation | : Najdorf-Variante
     Be3 | : English Attack | : Englischer Angriff
     Bg5 e6 f4 Qb6 | : Poisoned Pawn | : Vergifteter Bauer
    g6 | : Dragon Variation | : Drachenvariante
     Be3 Bg7 f3 | : Yugoslav Attack | : Jugoslawischer Angriff
    Nc6 | : Classical Variation | : Klassische Variante
     Bg5 | : Richter-Rauzer Attack | : Richter-Rauser-Angriff
    e6 | : Scheveningen Variation | : Scheveninger Variante
     g4 | : Keres Attack | : Keres-Angriff
   d6 Bb5+ | : Moscow Variation | : Moskauer Variante
   Nc6 Bb5 | : Rossolimo Variation | : Rossolimo-Variante
   Nc6 d4 cxd4 Nxd4
    g6 | : Accelerated Dragon | : Beschleunigter Drache
     c4 | : Maróczy Bind | : Maroczy-Aufbau
    Nf6 Nc3 e5 | : Sveshnikov Variation | : Sweschnikow-Variante
    e5 | : Kalashnikov Variation | : Kalaschnikow-Variante
   e6 d4 cxd4 Nxd4
    a6 | : Kan Variation | : Kan-Variante
    Nc6 | : Taimanov Variation | : Taimanow-Variante
   Nf6 | : Nimzowitsch Variation | : Nimzowitsch-Variante
   a6 | : O'Kelly Variation | : O'Kelly-Variante
  c3 | : Alapin Variation | : Alapin-Variante
  Nc3 | : Closed | : Geschlossen
   Nc6 f4 | : Grand Prix Attack | : Grand-Prix-Angriff
  d4 cxd4 c3 | : Smith-Morra Gambit | : Morra-Gambit
  b4 | : Wing Gambit | : Flügelgambit
 e6 | French Defence | Französische Verteidigung
  d4 d5
   e5 | : Advance Variation | : Vorstoßvariante
   exd5 | : Exchange Variation | : Abtauschvariante
   Nd2 | : Tarrasch Variation | : Tarrasch-Variante
   Nc3 | : Paulsen Variation | : Paulsen-Variante
    Bb4 | : Winawer Variation | : Winawer-Variante
    Nf6 | : Classical Variation | : Klassische Variante
     Bg5 Bb4 | : McCutcheon Variation | : McCutcheon-Variante
    dxe4 | : Rubinstein Variation | : Rubinstein-Variante
 c6 | Caro-Kann Defence | Caro-Kann-Verteidigung
  d4 d5
   e5 | : Advance Variation | : Vorstoßvariante
   exd5 cxd5 | : Exchange Variation | : Abtauschvariante
    c4 | : Panov Attack | : Panow-Angriff
   Nc3 dxe4 Nxe4
    Bf5 | : Classical Variation | : Klassische Variante
    Nd7 | : Karpov Variation | : Karpow-Variante
   f3 | : Fantasy Variation | : Fantasie-Variante
  Nc3 d5 Nf3 | : Two Knights Attack | : Zweispringervariante
 d5 | Scandinavian Defence | Skandinavische Verteidigung
  exd5 Nf6 | : Modern Variation | : Moderne Variante
  exd5 Qxd5 Nc3 Qa5 | : Main Line | : Hauptvariante
 Nf6 | Alekhine Defence | Aljechin-Verteidigung
  e5 Nd5 d4 d6
   c4 Nb6 f4 | : Four Pawns Attack | : Vierbauernangriff
   c4 Nb6 exd6 | : Exchange Variation | : Abtauschvariante
   Nf3 | : Modern Variation | : Moderne Variante
 d6 | Pirc Defence | Pirc-Verteidigung
  d4 Nf6 Nc3 g6
   f4 | : Austrian Attack | : Österreichischer Angriff
   Nf3 | : Classical Variation | : Klassische Variante
 g6 | Modern Defence | Moderne Verteidigung
 b6 | Owen Defence | Owen-Verteidigung
 Nc6 | Nimzowitsch Defence | Nimzowitsch-Verteidigung
d4 | Queen's Pawn | Damenbauer
 d5 | Closed Game | Geschlossenes Spiel
  c4 | Queen's Gambit | Damengambit
   dxc4 | : Accepted | : Angenommen
   e6 | : Declined | : Abgelehnt
    Nc3
     c5 | Tarrasch Defence | Tarrasch-Verteidigung
     Nf6 cxd5 | : Exchange Variation | : Abtauschvariante
     Nf6 Bg5 | : Orthodox Defence | : Orthodoxe Verteidigung
      Be7 e3 O-O Nf3 h6 Bh4 b6 | : Tartakower Variation | : Tartakower-Variante
      Nbd7 e3 c6 Nf3 Qa5 | : Cambridge Springs | : Cambridge-Springs-Variante
     Nf6 Nf3 Bb4 | : Ragozin Defence | : Ragosin-Verteidigung
     c6 | Semi-Slav Defence | Halbslawische Verteidigung
      Nf3 Nf6 e3 Nbd7 Bd3 dxc4 Bxc4 b5 | : Meran Variation | : Meraner Variante
      Nf3 Nf6 Bg5 dxc4 | : Botvinnik Variation | : Botwinnik-Variante
      Nf3 Nf6 Bg5 h6 | : Moscow Variation | : Moskauer Variante
    Nf3 Nf6 g3 | Catalan Opening | Katalanische Eröffnung
     dxc4 | : Open | : Offen
     Be7 | : Closed | : Geschlossen
   c6 | Slav Defence | Slawische Verteidigung
    cxd5 cxd5 | : Exchange Variation | : Abtauschvariante
    Nf3 Nf6 Nc3 dxc4 a4 Bf5 | : Czech Variation | : Tschechische Variante
    Nf3 Nf6 Nc3 a6 | : Chebanenko Variation | : Tschebanenko-Variante
   e5 | Albin Countergambit | Albins Gegengambit
   Nc6 | Chigorin Defence | Tschigorin-Verteidigung
   Nf6 | : Marshall Defence | : Marshall-Verteidigung
  Bf4 | London System | Londoner System
  Nf3 Nf6
   Bf4 | London System | Londoner System
   e3 e6 Bd3 | Colle System | Colle-System
  Nc3 Nf6 Bg5 | Veresov Attack | Weressow-Angriff
  e4 | Blackmar Gambit | Blackmar-Gambit
   dxe4 Nc3 Nf6 f3 | Blackmar-Diemer Gambit | Blackmar-Diemer-Gambit
  e3 Nf6 Bd3 e6 f4 | Stonewall Attack | Stonewall-Angriff
 Nf6 | Indian Defence | Indische Verteidigung
  c4
   e6
    Nc3 Bb4 | Nimzo-Indian Defence | Nimzowitsch-Indische Verteidigung
     e3 | : Rubinstein Variation | : Rubinstein-Variante
     Qc2 | : Classical Variation | : Klassische Variante
     a3 | : Sämisch Variation | : Sämisch-Variante
    Nf3 b6 | Queen's Indian Defence | Damenindische Verteidigung
    Nf3 Bb4+ | Bogo-Indian Defence | Bogoljubow-Indische Verteidigung
    g3 d5 | Catalan Opening | Katalanische Eröffnung
   g6
    Nc3 d5 | Grünfeld Defence | Grünfeld-Verteidigung
     cxd5 Nxd5 e4 | : Exchange Variation | : Abtauschvariante
     Nf3 Bg7 Qb3 | : Russian Variation | : Russische Variante
    Nc3 Bg7 | King's Indian Defence | Königsindische Verteidigung
     e4 d6
      Nf3 O-O Be2 e5 | : Classical Variation | : Klassische Variante
       O-O Nc6 d5 Ne7 | : Mar del Plata Variation | : Mar-del-Plata-Variante
      f3 | : Sämisch Variation | : Sämisch-Variante
      f4 | : Four Pawns Attack | : Vierbauernangriff
      Be2 O-O Bg5 | : Averbakh Variation | : Awerbach-Variante
    g3 Bg7 Bg2 d5 | Grünfeld Defence: Fianchetto | Grünfeld-Verteidigung: Fianchetto
   c5 d5 | Benoni Defence | Benoni-Verteidigung
    e6 Nc3 exd5 cxd5 d6 | Modern Benoni | Moderne Benoni-Verteidigung
    b5 | Benko Gambit | Wolga-Gambit
   e5 | Budapest Gambit | Budapester Gambit
   d6 | Old Indian Defence | Altindische Verteidigung
  Bg5 | Trompowsky Attack | Trompowsky-Angriff
  Nf3 g6 | East Indian Defence | Ostindische Verteidigung
  Nf3 e6 Bg5 | Torre Attack | Torre-Angriff
  Bf4 | London System | Londoner System
  Nc3 d5 Bf4 | Jobava London System | Jobava-System
 f5 | Dutch Defence | Holländische Verteidigung
  c4 Nf6 g3 g6 | : Leningrad Variation | : Leningrader Variante
  c4 Nf6 g3 e6 Bg2 d5 | : Stonewall | : Stonewall
  e4 | : Staunton Gambit | : Staunton-Gambit
 e5 | Englund Gambit | Englund-Gambit
c4 | English Opening | Englische Eröffnung
 e5 | : Reversed Sicilian | : Sizilianisch im Anzug
  Nc3 Nf6 Nf3 Nc6 | : Four Knights | : Vierspringervariante
 c5 | : Symmetrical Variation | : Symmetrievariante
Nf3 | Réti Opening | Réti-Eröffnung
 d5 c4 | : Réti Gambit | : Réti-Gambit
 d5 g3 | King's Indian Attack | Königsindischer Angriff
b3 | Larsen Opening | Larsen-Eröffnung
f4 | Bird Opening | Bird-Eröffnung
 e5 | : From Gambit | : From-Gambit
g3 | Hungarian Opening | Ungarische Eröffnung
b4 | Polish Opening | Sokolski-Eröffnung
g4 | Grob Opening | Grob-Eröffnung
Nc3 | Dunst Opening | Dunst-Eröffnung
`.trim().split("\n");

/** What of a FEN names an opening: the pieces and the side to move. */
export const openingKey = (fen: string): string => fen.split(" ", 2).join(" ");

/** The names of openings in a language, by `openingKey` of their positions. Throws on a move that is not legal. */
export function openingNames(language: string): Map<string, string> {
    const names = new Map<string, string>();
    const levels = [{ position: positionOf(INITIAL_FEN), family: "" }]; // what is continued at each indentation
    for (const line of NAMES) {
        const moves = line.trimStart(), depth = line.length - moves.length;
        const { position: from, family } = levels[depth]!, position = from.clone();
        const [sans, english, german] = moves.split(" | ") as [string, string?, string?];
        for (const san of sans.split(" ")) {
            const move = parseSan(position, san);
            if (!move) throw new Error(`${san} in "${line}"`);
            position.play(move);
        }
        const word = (language === "de" ? german : undefined) ?? english ?? "", isVariation = word.startsWith(":");
        const name = isVariation ? family + word : word;
        if (name) names.set(openingKey(fenOf(position)), name);
        levels[depth + 1] = { position, family: isVariation || !name ? family : name.split(":")[0]! };
    }
    return names;
}
