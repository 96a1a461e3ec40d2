using System.Text;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace EventHubThroughput.Repository.Tests.Style;

/// <summary>The comments, the literals that a program may print, and the names of the tests of a C# file.</summary>
internal static partial class CodeProse
{
    private const int FewestWords = 3;

    private static readonly CSharpParseOptions Options = new(LanguageVersion.Preview, DocumentationMode.Parse);

    /// <param name="file">The path from the root of the repository.</param>
    /// <param name="code">The content.</param>
    /// <param name="withLiterals">Whether the file belongs to a program or a library.</param>
    public static IEnumerable<Prose> Read(string file, string code, bool withLiterals)
    {
        var root = CSharpSyntaxTree.ParseText(code, Options).GetRoot();
        return [.. Documentation(file, root), .. Comments(file, root), .. withLiterals ? Literals(file, root) : [], .. TestNames(file, root)];
    }

    private static IEnumerable<Prose> Documentation(string file, SyntaxNode root) =>
        from comment in root.DescendantTrivia(descendIntoTrivia: true)
        where comment.GetStructure() is DocumentationCommentTriviaSyntax
        from element in comment.GetStructure()!.DescendantNodes().OfType<XmlElementSyntax>()
        where
            element.StartTag.Name.LocalName.Text is not ("c" or "code" or "see" or "list" or "remarks" or "term")
            || element.StartTag.Name.LocalName.Text == "remarks"
                && !element.Content.OfType<XmlElementSyntax>().Any(static part => part.StartTag.Name.LocalName.Text == "para")
        let text = Plain(string.Concat(element.Content.Select(GetText)))
        where text.Length > 0
        select new Prose(file, GetLine(element.GetLocation()), ProseKind.Comment, text);

    private static string GetText(XmlNodeSyntax node) =>
        node switch
        {
            XmlTextSyntax text => string.Concat(
                text.TextTokens.Select(static token => token.IsKind(SyntaxKind.XmlTextLiteralNewLineToken) ? " " : token.ValueText)
            ),
            XmlElementSyntax { StartTag.Name.LocalName.Text: "para" or "list" } => " ",
            XmlElementSyntax or XmlEmptyElementSyntax => Prose.Code,
            _ => "",
        };

    // Comments on consecutive lines are one text.
    private static IEnumerable<Prose> Comments(string file, SyntaxNode root)
    {
        var (first, last, text) = (0, 0, new StringBuilder());
        foreach (var trivia in root.DescendantTrivia().Where(static trivia => trivia.IsKind(SyntaxKind.SingleLineCommentTrivia)))
        {
            var line = GetLine(trivia.GetLocation());
            if (line != last + 1 && text.Length > 0)
            {
                yield return new Prose(file, first, ProseKind.Comment, Plain(text.ToString()));
                text.Clear();
            }

            first = text.Length == 0 ? line : first;
            last = line;
            text.Append(trivia.ToString().TrimStart('/')).Append(' ');
        }

        if (text.Length > 0)
        {
            yield return new Prose(file, first, ProseKind.Comment, Plain(text.ToString()));
        }
    }

    private static IEnumerable<Prose> Literals(string file, SyntaxNode root) =>
        from node in root.DescendantNodes()
        let text = node switch
        {
            LiteralExpressionSyntax literal when literal.IsKind(SyntaxKind.StringLiteralExpression) => literal.Token.ValueText,
            InterpolatedStringExpressionSyntax interpolated => string.Concat(
                interpolated.Contents.Select(static part => part is InterpolatedStringTextSyntax constant ? constant.TextToken.ValueText : Prose.Code)
            ),
            _ => "",
        }
        where Word().Count(text) >= FewestWords && text.Contains(' ', StringComparison.Ordinal)
        select new Prose(file, GetLine(node.GetLocation()), ProseKind.Literal, Plain(text));

    private static IEnumerable<Prose> TestNames(string file, SyntaxNode root) =>
        from method in root.DescendantNodes().OfType<MethodDeclarationSyntax>()
        where method.AttributeLists.SelectMany(static list => list.Attributes).Any(static attribute => attribute.Name.ToString() is "Fact" or "Theory")
        select new Prose(file, GetLine(method.Identifier.GetLocation()), ProseKind.TestName, method.Identifier.Text.Replace('_', ' '));

    private static int GetLine(Location location) => location.GetLineSpan().StartLinePosition.Line + 1;

    private static string Plain(string text) => Blanks().Replace(text, " ").Trim();

    [GeneratedRegex(@"\s+", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Blanks();

    [GeneratedRegex(@"\p{L}{2,}", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Word();
}
