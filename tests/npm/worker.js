import "luft-chess/uci";
