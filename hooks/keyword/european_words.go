package keyword

// european are verbs of other languages in Latin script that begin an order. statements
// may as well be the verb of a statement ("ralph crea un bucle").
var european = struct{ orders, statements words }{
	orders: words{
		"actualizar", "adicionar", "afegir", "aggiungere", "agregar", "ajouter", "ajoutez", "améliore", "améliorer", "arreglar", "atualizar", "añadir", "baue", "behebe", "construir",
		"construire", "correggere", "corregir", "corriger", "corrigez", "corrigir", "crear", "creare", "criar", "créer", "créez", "desarrollar", "desenvolver", "développer",
		"développez", "düzelt", "ekle", "entwickle", "erstelle", "escrever", "escribir", "füge", "geliştir", "generar", "gerar", "haz", "implementar", "implementare", "implementiere",
		"implémenter", "implémentez", "integrar", "mejorar", "melhorar", "migrar", "migre", "migrer", "migriere", "oluştur", "optimiere", "optimisez", "optimizar", "otimizar",
		"refactoriser", "refactorizar", "refaktoriere", "refatorar", "repariere", "répare", "réparer", "schreibe", "sviluppare", "sửa", "thêm", "tạo", "verbessere", "xây", "écrire",
		"überarbeite",
	},
	statements: words{
		"actualiza", "adiciona", "aggiungi", "agrega", "ajoute", "arregla", "atualiza", "añade", "construa", "construis", "construye", "corregge", "correggi", "corrige", "crea", "crie",
		"crée", "desarrolla", "desenvolva", "développe", "escreva", "escribe", "genera", "implementa", "implemente", "implémente", "integra", "mejora", "migra", "optimiza",
		"refactorise", "refactoriza", "refatora", "sviluppa", "écris",
	},
}

// russian are the ends of verbs that begin an order.
var russian = parts{"ть", "ти", "ьте", "йте", "ите", "справь", "делай", "обавь", "оздай", "апиши", "еализуй", "бнови", "острой", "очини"}
