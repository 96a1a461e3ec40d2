using System.Globalization;
using System.Text;
using System.Xml;
using System.Xml.Linq;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>Creates the answers of the management protocol: an entry, a feed of entries or an error.</summary>
internal static class AtomAnswer
{
    private const string XmlType = "application/xml; charset=utf-8";

    private static readonly XmlWriterSettings Settings = new() { Encoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false) };

    /// <param name="status">200 or 201.</param>
    /// <param name="entry">The entity.</param>
    /// <param name="address">The address of the endpoint.</param>
    public static AdminAnswer One(int status, AtomEntry entry, string address) =>
        Answer(status, Entry(entry, address), $"{AtomNames.ContentType};type=entry;charset=utf-8");

    /// <param name="title">The title of the list.</param>
    /// <param name="page">The entities.</param>
    /// <param name="address">The address of the endpoint.</param>
    /// <param name="self">The address of this page.</param>
    /// <param name="next">The address of the next page. Null at the end.</param>
    public static AdminAnswer Feed(string title, IEnumerable<AtomEntry> page, string address, string self, string? next) =>
        Answer(
            200,
            new XElement(
                AtomNames.Atom + "feed",
                Title(title),
                new XElement(AtomNames.Atom + "id", self),
                Link("self", self),
                next is null ? null : Link("next", next),
                page.Select(entry => Entry(entry, address))
            ),
            $"{AtomNames.ContentType};type=feed;charset=utf-8"
        );

    /// <summary>Creates an error. Clients read the reason from the status and its sub-code. The text is for people.</summary>
    public static AdminAnswer Fail(int status, string detail) =>
        Answer(
            status,
            new XElement(
                "Error",
                new XElement("Code", status.ToString(CultureInfo.InvariantCulture)),
                new XElement("Detail", AtomText.Of(string.Create(CultureInfo.InvariantCulture, $"SubCode={status}00. {detail}")))
            ),
            XmlType
        );

    private static XElement Entry(AtomEntry entry, string address) =>
        new(
            AtomNames.Atom + "entry",
            new XElement(AtomNames.Atom + "id", $"{address}/{entry.Path}"),
            Title(entry.Name),
            new XElement(AtomNames.Atom + "published", AtomText.Of(entry.Created)),
            new XElement(AtomNames.Atom + "updated", AtomText.Of(entry.Changed)),
            Link("self", $"{address}/{entry.Path}"),
            new XElement(AtomNames.Atom + "content", new XAttribute("type", "application/xml"), entry.Description)
        );

    private static XElement Title(string text) => new(AtomNames.Atom + "title", new XAttribute("type", "text"), AtomText.Of(text));

    private static XElement Link(string relation, string address) =>
        new(AtomNames.Atom + "link", new XAttribute("rel", relation), new XAttribute("href", address));

    private static AdminAnswer Answer(int status, XElement root, string contentType)
    {
        using var buffer = new MemoryStream();
        using (var writer = XmlWriter.Create(buffer, Settings))
        {
            root.Save(writer);
        }

        return new AdminAnswer(status, buffer.ToArray(), contentType);
    }
}
