<?xml version="1.0" encoding="UTF-8"?>
<!-- The text for people, without its layout: that of a Composition, section by section, and that of every other
     resource. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:f="http://hl7.org/fhir" xmlns:x="http://www.w3.org/1999/xhtml" exclude-result-prefixes="f x">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="/">
    <Narrative><xsl:apply-templates select="f:*[not(self::f:Bundle)] | f:Bundle/f:entry/f:resource/f:Composition"/>
      <xsl:apply-templates select="f:Bundle/f:entry/f:resource/*[not(self::f:Composition)][normalize-space(f:text/x:div) or f:text/x:div//x:img]"/>
      <xsl:apply-templates select="*[not(normalize-space(f:text/x:div) or f:text/x:div//x:img)] | f:Bundle/f:entry/f:resource/*[not(normalize-space(f:text/x:div) or f:text/x:div//x:img)]" mode="told"/>
      <xsl:apply-templates select="*[normalize-space(f:text/x:div) or f:text/x:div//x:img]/f:contained/f:* | f:Bundle/f:entry/f:resource/*[normalize-space(f:text/x:div) or f:text/x:div//x:img]/f:contained/f:*" mode="inside"/>
    </Narrative>
  </xsl:template>

  <!-- The text of a resource need not say that it does not hold any more, or not yet. -->
  <xsl:template match="f:*">
    <xsl:variable name="status" select="f:status/@value"/>
    <Section title="">
      <xsl:if test="$status and not(contains($kept, concat('|', local-name(), '|')) or contains('|active|final|completed|available|amended|corrected|current|', concat('|', $status, '|')))">
        <xsl:attribute name="title"><xsl:value-of select="concat(local-name(), ': ', $status)"/></xsl:attribute>
      </xsl:if>
      <xsl:apply-templates select="f:text/x:div"/>
    </Section>
  </xsl:template>

  <!-- What no model keeps whole, and what stands inside another resource, where these have no text of their own: each of
       their words with its name. -->
  <xsl:template match="*" mode="told">
    <xsl:if test="self::f:* and not(contains($kept, concat('|', local-name(), '|')))"><xsl:call-template name="told"/></xsl:if>
    <xsl:apply-templates select="f:contained/f:*" mode="inside"/>
  </xsl:template>
  <xsl:template match="f:*" mode="inside">
    <xsl:if test="not(contains($pointed-at, concat('|', local-name(), '|')))"><xsl:call-template name="told"/></xsl:if>
  </xsl:template>

  <!-- Kinds of which the facts say all that people would read, and kinds that are read where others point at them. -->
  <xsl:variable name="pointed-at" select="'|Patient|RelatedPerson|Practitioner|PractitionerRole|Organization|Location|Medication|Specimen|Provenance|OperationOutcome|Observation|Device|Substance|Endpoint|Binary|'"/>
  <xsl:variable name="kept" select="concat($pointed-at, 'AllergyIntolerance|Bundle|CarePlan|Composition|Condition|Coverage|DiagnosticReport|DocumentReference|Encounter|FamilyMemberHistory|Goal|Immunization|MedicationAdministration|MedicationDispense|MedicationRequest|MedicationStatement|Parameters|Procedure|AuditEvent|CapabilityStatement|MessageHeader|Subscription|')"/>

  <xsl:template name="told">
    <Section>
      <xsl:attribute name="title">
        <xsl:value-of select="local-name()"/>
        <xsl:for-each select="(f:code/f:text/@value | f:code/f:coding/f:display/@value | f:serviceType/f:text/@value | f:description/@value)[1]"><xsl:value-of select="concat(': ', .)"/></xsl:for-each>
      </xsl:attribute>
      <xsl:choose>
        <xsl:when test="normalize-space(f:text/x:div) or f:text/x:div//x:img"><xsl:apply-templates select="f:text/x:div"/></xsl:when>
        <xsl:otherwise><List><xsl:apply-templates select="f:*[not(self::f:id or self::f:meta or self::f:text or self::f:identifier or self::f:contained)]" mode="words"/></List></xsl:otherwise>
      </xsl:choose>
    </Section>
  </xsl:template>

  <!-- A value with the name of its element. Addresses and keys say nothing to people. -->
  <xsl:template match="f:*" mode="words"/>
  <xsl:template match="f:*[@value][not(self::f:id or self::f:system or self::f:reference or self::f:url or self::f:linkId or self::f:userSelected or self::f:data)]" mode="words">
    <Item><Text><xsl:value-of select="concat(local-name(), ': ', @value)"/></Text></Item>
  </xsl:template>
  <xsl:template match="f:coding[f:display] | f:coding/f:version" mode="words">
    <xsl:variable name="code"><xsl:if test="f:code"><xsl:value-of select="concat(' (', f:code/@value, ')')"/></xsl:if></xsl:variable>
    <Item><Text><xsl:value-of select="concat(f:display/@value, $code)"/></Text></Item>
  </xsl:template>
  <xsl:template match="f:*[not(@value)][f:*][not(self::f:coding[f:display])]" mode="words">
    <xsl:variable name="inner"><xsl:apply-templates select="f:*[not(local-name() = 'text' and ../f:answer)]" mode="words"/></xsl:variable>
    <xsl:if test="string($inner) != ''">
      <Item>
        <Text><xsl:choose>
          <xsl:when test="(self::f:item or self::f:answer) and f:text/@value"><xsl:value-of select="f:text/@value"/></xsl:when>
          <xsl:otherwise><xsl:value-of select="local-name()"/></xsl:otherwise>
        </xsl:choose></Text>
        <List><xsl:copy-of select="$inner"/></List>
      </Item>
    </xsl:if>
  </xsl:template>

  <xsl:template match="f:Composition">
    <xsl:apply-templates select="f:section"/>
    <xsl:if test="not(f:section/f:text) and f:text"><Section title=""><xsl:apply-templates select="f:text/x:div"/></Section></xsl:if>
  </xsl:template>

  <xsl:template match="f:section">
    <Section>
      <xsl:attribute name="title">
        <xsl:value-of select="f:title/@value"/>
        <xsl:if test="not(f:title/@value)"><xsl:value-of select="(f:code/f:text/@value | f:code/f:coding/f:display/@value)[1]"/></xsl:if>
      </xsl:attribute>
      <xsl:apply-templates select="f:text/x:div"/>
      <xsl:apply-templates select="f:section"/>
    </Section>
  </xsl:template>

  <!-- Elements that only describe layout are replaced by what they contain. -->
  <xsl:template match="x:*"><xsl:apply-templates/></xsl:template>
  <xsl:template match="x:*/text()"><Text><xsl:value-of select="."/></Text></xsl:template>
  <xsl:template match="x:br"><Break/></xsl:template>
  <xsl:template match="x:div | x:p | x:h1 | x:h2 | x:h3 | x:h4 | x:h5 | x:h6 | x:blockquote | x:pre | x:caption | x:dt | x:dd"><Paragraph><xsl:apply-templates/></Paragraph></xsl:template>
  <xsl:template match="x:style | x:script | x:del | x:s | x:strike"/>
  <!-- 10 to the power of 9 is not 109. -->
  <xsl:template match="x:sup//text()" priority="2"><Text><xsl:value-of select="translate(., '0123456789+-', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻')"/></Text></xsl:template>
  <xsl:template match="x:sub//text()" priority="2"><Text><xsl:value-of select="translate(., '0123456789+-', '₀₁₂₃₄₅₆₇₈₉₊₋')"/></Text></xsl:template>
  <!-- Pictures stand below the text, which says what the sender wrote instead of each. -->
  <xsl:template match="x:img"><Text><xsl:value-of select="@alt"/></Text></xsl:template>

  <xsl:template match="x:ul | x:ol"><List><xsl:apply-templates select="x:li"/></List></xsl:template>
  <xsl:template match="x:li"><Item><xsl:apply-templates/></Item></xsl:template>

  <xsl:template match="x:table">
    <xsl:apply-templates select="x:caption"/>
    <Table><xsl:apply-templates select="x:thead/x:tr | x:tr | x:tbody/x:tr | x:tfoot/x:tr"/></Table>
  </xsl:template>
  <xsl:template match="x:tr"><Row><xsl:apply-templates select="x:th | x:td"/></Row></xsl:template>
  <xsl:template match="x:thead/x:tr | x:tr[x:th and not(x:td)]"><Row head="true"><xsl:apply-templates select="x:th | x:td"/></Row></xsl:template>
  <xsl:template match="x:th | x:td"><Cell><xsl:apply-templates/></Cell></xsl:template>
</xsl:stylesheet>
