package keyword

// european holds the words of other languages in Latin or Cyrillic script, all together, because hardly any word has
// different meanings in two of them.
var european = struct {
	// orders are verbs that begin an order; statements can also be the verb of a statement ("ralph crea un bucle").
	orders, statements,
	// finals end an order, in German and Turkish.
	finals,
	// polite may precede an order.
	polite,
	// starters start a mode, enders end it; lastStarters and lastEnders come after the mode.
	starters, enders, lastStarters, lastEnders,
	// small are filler words between a verb and a mode. links lead to the task; behindLink show that it is a particular
	// task.
	small, links, behindLink,
	// by introduce a manner; in do so before a word of modes; lastBy come after the mode.
	by, in, modes, lastBy,
	// negations turn an order into its opposite, finite are verbs of statements.
	negations, finite,
	// defects belong to the mode after a manner.
	defects words
}{
	orders: words{
		"actualice", "actualizar", "adicionar", "adicione", "afegir", "aggiorna", "aggiungere", "aggiungi", "agregar", "agregue", "ajouter", "ajoutez", "améliorer", "améliorez",
		"analiza", "analizza", "analyser", "analysiere", "arregla", "arreglar", "arregle", "arréglalo", "atualizar", "atualize", "añade", "añadir", "baue", "beende", "behebe",
		"construa", "construir", "construire", "construis", "correggere", "correggi", "corregir", "corriger", "corrigez", "corrigir", "corrija", "costruisci", "crear", "creare",
		"cree", "criar", "crie", "créer", "créez", "desarrollar", "desarrolle", "desenvolva", "desenvolver", "développer", "développez", "entwickle", "ergänze", "erstelle",
		"escreva", "escrever", "escribe", "escribir", "faça", "fixe", "füge", "generar", "gerar", "gere", "haz", "implementar", "implementare", "implementiere", "implémenter",
		"implémentez", "integrar", "integriere", "kiểm", "korrigiere", "mach", "mache", "mejorar", "mejore", "melhorar", "melhore", "migrar", "migrer", "migriere", "optimice",
		"optimiere", "optimiser", "optimisez", "optimizar", "otimizar", "otimize", "refactorice", "refactoriser", "refactorizar", "refaktoriere", "refatorar", "refatore",
		"repariere", "revisa", "revise", "réparer", "schreibe", "scrivi", "sistema", "sviluppare", "sửa", "termina", "teste", "thêm", "traduce", "triển", "tái", "tạo", "tối",
		"verbessere", "viết", "xây", "écrire", "écris", "überarbeite", "überprüfe",
	},
	statements: words{
		"actualiza", "adiciona", "agrega", "ajoute", "améliore", "atualiza", "completa", "construit", "construye", "corregge", "corrige", "costruisce", "crea", "crée",
		"desarrolla", "développe", "genera", "implementa", "implemente", "implémente", "integra", "mejora", "migra", "migre", "optimise", "optimiza", "ottimizza", "prueba",
		"refactorise", "refactoriza", "refactorizza", "refatora", "refattorizza", "répare", "sviluppa",
	},
	finals: words{
		"aktualisieren", "analysieren", "beheben", "düzelt", "ekle", "entfernen", "entwickeln", "erstellen", "et", "fertigstellen", "geliştir", "güncelle", "hinzufügen",
		"implementiere", "implementieren", "korrigieren", "migrieren", "oluştur", "optimieren", "refaktorieren", "reparieren", "schreiben", "tamamla", "testen", "uygula",
		"verbessern", "yap", "yaz", "çöz", "überarbeiten",
	},
	polite: words{
		"adesso", "agora", "ahora", "bitte", "bây", "claude", "com", "favor", "giờ", "hãy", "jetzt", "lütfen", "maintenant", "ora", "por", "puis", "şimdi", "и", "пожалуйста",
		"теперь",
	},
	starters: words{
		"activa", "activar", "active", "activer", "aktiviere", "arbeite", "arranca", "ativa", "ative", "attiva", "avvia", "benutz", "benutze", "bật", "chạy", "comece", "começa",
		"comienza", "commence", "continua", "continue", "continúa", "démarre", "démarrez", "dùng", "ejecuta", "ejecutar", "entra", "entre", "esegui", "executa", "execute", "fahre",
		"führe", "inicia", "iniciar", "inicie", "khởi", "lance", "lancez", "lancia", "mach", "nutze", "passa", "passe", "prosegui", "rode", "starte", "sử", "trabaja", "trabalhe",
		"travaille", "usa", "usar", "use", "utilice", "utilise", "utilisez", "utiliza", "utilizza", "verwende", "weiter", "активируй", "включи", "включите", "давай", "запусти",
		"запустите", "запустить", "используй", "начни", "перейди", "примени", "продолжай", "работай",
	},
	enders: words{
		"annule", "annulla", "arrête", "arrêter", "arrêtez", "beende", "cancela", "cancele", "deaktiviere", "desactiva", "deten", "detener", "detén", "dừng", "ferma", "hủy",
		"interrompi", "para", "pare", "stopp", "stoppe", "termine", "tắt", "выключи", "заверши", "останови", "остановите", "отключи", "отмени", "прекрати",
	},
	lastStarters: words{"aktifleştir", "aktivieren", "aç", "başlasın", "başlat", "kullan", "nutzen", "starten", "verwenden", "çalıştır"},
	lastEnders:   words{"abbrechen", "beenden", "durdur", "kapat", "stoppen"},
	small: words{
		"a", "au", "chế", "con", "dans", "das", "de", "del", "den", "der", "die", "dụng", "el", "em", "en", "il", "im", "in", "la", "le", "les", "lo", "los", "mit", "modalità",
		"mode", "modo", "modus", "một", "o", "os", "oturum", "un", "una", "với", "độ", "động", "в", "режим", "режиме", "с", "цикл",
	},
	links: words{"auf", "cho", "chế", "e", "en", "et", "für", "para", "per", "pour", "sobre", "su", "sur", "um", "und", "ve", "y", "zum", "zur", "để", "для", "до", "и", "на", "чтобы"},
	behindLink: words{
		"aggiungere", "alle", "ce", "ces", "cet", "cette", "das", "den", "der", "die", "diese", "diesen", "dieses", "dự", "el", "esta", "este", "esto", "estos", "gli", "i", "il",
		"isto", "la", "las", "le", "les", "lo", "los", "mon", "nosso", "notre", "nuestro", "o", "os", "questa", "questo", "todo", "todos", "tous", "toutes", "tutti", "unser",
		"все", "всего", "всех", "это", "этого", "этой", "этот",
	},
	by:     words{"avec", "bằng", "com", "con", "mit", "mittels", "per", "usando", "using", "utilisant", "utilizando", "via", "với", "помощью", "с", "через"},
	in:     words{"em", "en", "im", "in", "nel", "no", "trong", "w", "в"},
	modes:  words{"chế", "modalità", "mode", "modo", "modus", "режиме"},
	lastBy: words{"ile", "kullanarak", "modunda", "moduyla"},
	negations: words{
		"aucun", "bez", "kein", "keine", "không", "n'utilise", "nada", "nessun", "never", "nicht", "nie", "no", "non", "not", "nunca", "não", "ohne", "pas", "sans", "sem", "senza",
		"sin", "yok", "đừng", "без", "не", "нет",
	},
	defects: words{"bug", "erreur", "erro", "error", "errore", "fallo", "fehler", "баг", "ошибку"},
	finite: words{
		"bietet", "es", "est", "está", "fonctionne", "funciona", "funktioniert", "führt", "hat", "ist", "kann", "kullanır", "lance", "là", "läuft", "muss", "puede", "può", "sind",
		"soll", "sollte", "startet", "wird", "è", "é",
	},
}

// russian are endings of verbs that begin an order, or of nouns for work.
var russian = parts{"ть", "ти", "ьте", "йте", "ите", "справь", "делай", "обавь", "оздай", "апиши", "еализуй", "бнови", "острой", "очини", "роверь", "ерепиши", "азработай", "ефактори", "птимизируй", "далисуй", "далий", "дали", "ыполни", "акончи", "родолжай", "ерепиши", "еренеси"}

// russianWork are endings of nouns for work: рефакторинг, исправление.
var russianWork = parts{"инг", "ение", "ание", "отка", "ция"}
